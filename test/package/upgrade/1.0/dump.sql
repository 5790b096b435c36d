SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE TABLE public.audit_entry (
    id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    actor text,
    key_id bigint,
    actor_user_id bigint,
    user_id bigint,
    door text NOT NULL,
    address text,
    operation text NOT NULL,
    zone text COLLATE pg_catalog."C",
    change_id bigint,
    subject_id bigint,
    code text,
    field text,
    times integer DEFAULT 1 NOT NULL
);
ALTER TABLE ONLY public.audit_entry ALTER COLUMN key_id SET (n_distinct=-0.01);
ALTER TABLE ONLY public.audit_entry ALTER COLUMN user_id SET (n_distinct=-0.01);
CREATE FUNCTION public.prune_audit(before timestamp with time zone, most integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    BEGIN ATOMIC
 WITH pruned AS (
          DELETE FROM public.audit_entry a
            USING ( SELECT audit_entry.id,
                     audit_entry.created_at
                    FROM public.audit_entry
                   ORDER BY audit_entry.id
                  LIMIT prune_audit.most) o
           WHERE ((a.id = o.id) AND (o.created_at < LEAST(prune_audit.before, (now() - '30 days'::interval))))
           RETURNING a.id
         )
  SELECT count(*) AS count
    FROM pruned;
END;
CREATE TABLE public.api_key (
    id bigint NOT NULL,
    name text NOT NULL,
    user_id bigint,
    read_only boolean DEFAULT false NOT NULL,
    fingerprint text NOT NULL COLLATE pg_catalog."C",
    hash bytea NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    zones text[],
    last_used_at timestamp with time zone,
    created_by bigint
);
CREATE SEQUENCE public.api_key_id_seq
    START WITH 1000000000000000
    INCREMENT BY 16
    MINVALUE 1000000000000000
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.api_key_id_seq OWNED BY public.api_key.id;
CREATE SEQUENCE public.audit_entry_id_seq
    START WITH 1000000000000000
    INCREMENT BY 16
    MINVALUE 1000000000000000
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.audit_entry_id_seq OWNED BY public.audit_entry.id;
CREATE TABLE public.awaited_publication (
    change_id bigint NOT NULL,
    is_late boolean DEFAULT false NOT NULL,
    since timestamp with time zone NOT NULL,
    next_at timestamp with time zone NOT NULL
);
CREATE TABLE public.catalog_guard (
    id integer NOT NULL,
    revision bigint NOT NULL,
    held_since timestamp with time zone,
    members integer,
    removals integer,
    confirmed_removals integer
);
CREATE TABLE public.change (
    id bigint NOT NULL,
    domain_id bigint NOT NULL,
    zone text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    previous_serial bigint,
    serial bigint NOT NULL,
    actor text NOT NULL,
    door text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    note text,
    undoes bigint,
    returns_to bigint,
    change_set_id bigint,
    applied_by text
);
ALTER TABLE ONLY public.change ALTER COLUMN domain_id SET (n_distinct=-0.01);
ALTER TABLE ONLY public.change ALTER COLUMN actor SET (n_distinct=-0.01);
CREATE SEQUENCE public.change_id_seq
    START WITH 1000000000000000
    INCREMENT BY 16
    MINVALUE 1000000000000000
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.change_id_seq OWNED BY public.change.id;
CREATE TABLE public.change_record (
    change_id bigint NOT NULL,
    ordinal integer NOT NULL,
    domain_id bigint NOT NULL,
    record_id bigint NOT NULL,
    since bigint NOT NULL,
    since_ordinal integer NOT NULL,
    owner text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    ttl integer NOT NULL,
    rdata text NOT NULL,
    wire bytea NOT NULL,
    CONSTRAINT change_record_since_check CHECK ((since < change_id))
);
CREATE TABLE public.change_set (
    id bigint NOT NULL,
    title text NOT NULL,
    description text NOT NULL,
    user_id bigint,
    author text NOT NULL,
    author_key_id bigint,
    state text NOT NULL,
    revision integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    applied_at timestamp with time zone,
    applied_by text,
    requested_approvals integer DEFAULT 0 NOT NULL,
    apply_at timestamp with time zone,
    scheduled_by_key_id bigint,
    scheduled_fingerprint text,
    on_missed text,
    failure jsonb,
    mode text DEFAULT 'ALL'::text NOT NULL,
    applying jsonb
);
CREATE TABLE public.change_set_edit (
    change_set_id bigint NOT NULL,
    zone text NOT NULL COLLATE pg_catalog."C",
    ordinal integer NOT NULL,
    op text NOT NULL,
    record_id bigint,
    base_change_id bigint,
    owner text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    ttl integer,
    rdata text NOT NULL,
    wire bytea NOT NULL,
    digest bytea NOT NULL
);
CREATE TABLE public.change_set_event (
    change_set_id bigint NOT NULL,
    ordinal integer NOT NULL,
    kind text NOT NULL,
    key_id bigint,
    actor text NOT NULL,
    revision integer NOT NULL,
    text text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    fingerprint text
);
CREATE SEQUENCE public.change_set_id_seq
    START WITH 1000000000000000
    INCREMENT BY 16
    MINVALUE 1000000000000000
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.change_set_id_seq OWNED BY public.change_set.id;
CREATE TABLE public.change_set_zone (
    change_set_id bigint NOT NULL,
    zone text NOT NULL COLLATE pg_catalog."C",
    domain_id bigint,
    action text NOT NULL,
    user_id bigint,
    outcome text,
    change_id bigint,
    reasons jsonb,
    fingerprint text,
    template jsonb,
    undoes bigint,
    returns_to bigint
);
CREATE TABLE public.compatible_migration (
    name text NOT NULL,
    least_version text NOT NULL
);
CREATE TABLE public.deleted_domain (
    id bigint NOT NULL,
    zone text NOT NULL COLLATE pg_catalog."C",
    serial bigint NOT NULL,
    user_id bigint,
    deleted_at timestamp with time zone DEFAULT now() NOT NULL,
    labels jsonb DEFAULT '{}'::jsonb NOT NULL,
    template jsonb,
    review text,
    created_at timestamp with time zone
);
CREATE TABLE public.domain (
    id bigint NOT NULL,
    zone text NOT NULL COLLATE pg_catalog."C",
    user_id bigint,
    serial bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    member_id uuid DEFAULT gen_random_uuid() NOT NULL,
    labels jsonb DEFAULT '{}'::jsonb NOT NULL,
    template jsonb,
    review text,
    record_count integer DEFAULT 0 NOT NULL,
    metered boolean DEFAULT false NOT NULL,
    demands text DEFAULT 'NONE'::text NOT NULL,
    CONSTRAINT domain_serial_check CHECK (((serial >= 0) AND (serial <= '4294967295'::bigint)))
);
CREATE SEQUENCE public.domain_id_seq
    START WITH 1000000000000000
    INCREMENT BY 16
    MINVALUE 1000000000000000
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.domain_id_seq OWNED BY public.domain.id;
CREATE TABLE public.id_origin (
    id integer NOT NULL,
    origin bigint NOT NULL
);
CREATE TABLE public.instance (
    id uuid NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    version text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    term bigint,
    dns_address text,
    dns_port integer,
    dns_tls_port integer
);
CREATE TABLE public.mikro_orm_migrations (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    executed_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP(6) NOT NULL
);
CREATE SEQUENCE public.mikro_orm_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.mikro_orm_migrations_id_seq OWNED BY public.mikro_orm_migrations.id;
CREATE TABLE public.outbox_event (
    id bigint NOT NULL,
    event text NOT NULL,
    user_id bigint,
    former_user_id bigint,
    zone text,
    zones text[],
    domain_id bigint,
    after_change_id bigint,
    data jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.outbox_event_id_seq
    START WITH 1000000000000000
    INCREMENT BY 1
    MINVALUE 1000000000000000
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.outbox_event_id_seq OWNED BY public.outbox_event.id;
CREATE TABLE public.publisher_term (
    id integer NOT NULL,
    term bigint NOT NULL,
    confirmed_term bigint DEFAULT 0 NOT NULL
);
CREATE UNLOGGED TABLE public.request_count (
    name text NOT NULL COLLATE pg_catalog."C",
    count integer NOT NULL,
    ends_at timestamp with time zone NOT NULL
);
CREATE TABLE public.rrset_note (
    domain_id bigint NOT NULL,
    owner text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    text text NOT NULL,
    actor text NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE public.secondary (
    id bigint NOT NULL,
    name text NOT NULL,
    address text NOT NULL,
    port integer NOT NULL,
    tsig_key_id bigint,
    notify boolean DEFAULT true NOT NULL,
    required_for_live boolean DEFAULT true NOT NULL,
    allow_unsigned_transfer boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    notified_at timestamp with time zone,
    notify_answer text,
    queried_at timestamp with time zone,
    query_answer text,
    transferred_at timestamp with time zone,
    transfer_zone text,
    transfer_kind text,
    transfer_bytes bigint,
    transfer_ms integer,
    tsig_error_at timestamp with time zone,
    tsig_error text,
    indirect boolean DEFAULT false NOT NULL,
    doubted_term bigint DEFAULT 0 NOT NULL,
    query_zone text,
    joined_at timestamp with time zone
);
CREATE SEQUENCE public.secondary_id_seq
    START WITH 1000000000000000
    INCREMENT BY 16
    MINVALUE 1000000000000000
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.secondary_id_seq OWNED BY public.secondary.id;
CREATE TABLE public.sighting (
    secondary_id bigint NOT NULL,
    domain_id bigint NOT NULL,
    zone text NOT NULL COLLATE pg_catalog."C",
    serial bigint,
    is_refused boolean DEFAULT false NOT NULL,
    seen_at timestamp with time zone,
    last_error text,
    term bigint NOT NULL,
    serial_at timestamp with time zone,
    proven_serial bigint,
    is_unproven boolean DEFAULT false NOT NULL,
    held_since timestamp with time zone
);
CREATE TABLE public.sign_in (
    hash bytea NOT NULL,
    key_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    ends_at timestamp with time zone NOT NULL
);
CREATE TABLE public.signed_update (
    mark text NOT NULL COLLATE pg_catalog."C",
    rcode smallint NOT NULL,
    until timestamp with time zone NOT NULL
);
CREATE TABLE public.transferred_zone (
    domain_id bigint NOT NULL,
    secondary_id bigint NOT NULL,
    serial bigint NOT NULL,
    previous_serial bigint,
    is_whole_due boolean DEFAULT false NOT NULL,
    transferred_at timestamp with time zone NOT NULL,
    transaction_id xid8
);
CREATE TABLE public.tsig_key (
    id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    algorithm text NOT NULL,
    secret bytea NOT NULL,
    is_sealed boolean NOT NULL,
    user_id bigint,
    zones text[],
    owners text[],
    types text[],
    transfer boolean DEFAULT true NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    exempt_from_review boolean DEFAULT false NOT NULL
);
CREATE SEQUENCE public.tsig_key_id_seq
    START WITH 1000000000000000
    INCREMENT BY 16
    MINVALUE 1000000000000000
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.tsig_key_id_seq OWNED BY public.tsig_key.id;
CREATE TABLE public.update_refusal (
    id bigint NOT NULL,
    domain_id bigint,
    zone text NOT NULL,
    code text NOT NULL,
    rcode text NOT NULL,
    reason text NOT NULL,
    address text NOT NULL,
    protocol text NOT NULL,
    key_name text,
    algorithm text,
    asked text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE SEQUENCE public.update_refusal_id_seq
    START WITH 1000000000000000
    INCREMENT BY 16
    MINVALUE 1000000000000000
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.update_refusal_id_seq OWNED BY public.update_refusal.id;
CREATE TABLE public."user" (
    id bigint NOT NULL,
    email text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    review text DEFAULT 'NONE'::text NOT NULL,
    quota jsonb DEFAULT '{}'::jsonb NOT NULL,
    metered boolean DEFAULT false NOT NULL
);
CREATE SEQUENCE public.user_id_seq
    START WITH 1000000000000000
    INCREMENT BY 16
    MINVALUE 1000000000000000
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.user_id_seq OWNED BY public."user".id;
CREATE TABLE public.user_reviewer (
    user_id bigint NOT NULL,
    reviewer_id bigint NOT NULL
);
CREATE TABLE public.user_usage (
    user_id bigint NOT NULL,
    domains integer NOT NULL,
    records bigint NOT NULL,
    changes integer NOT NULL,
    day date NOT NULL
);
CREATE TABLE public.webhook (
    id bigint NOT NULL,
    user_id bigint,
    name text NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    zones text[],
    enabled boolean NOT NULL,
    disabled_reason text,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_until timestamp with time zone,
    is_sealed boolean NOT NULL,
    after_change_id bigint NOT NULL,
    after_event_id bigint NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    failing_since timestamp with time zone,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.webhook_delivery (
    id bigint NOT NULL,
    webhook_id bigint NOT NULL,
    message_id text NOT NULL,
    event text NOT NULL,
    zone text NOT NULL COLLATE pg_catalog."C",
    payload text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    retry_until timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    attempted_at timestamp with time zone,
    last_status integer,
    last_error text,
    delivered_at timestamp with time zone,
    dead_at timestamp with time zone
);
CREATE SEQUENCE public.webhook_delivery_id_seq
    START WITH 1000000000000000
    INCREMENT BY 16
    MINVALUE 1000000000000000
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.webhook_delivery_id_seq OWNED BY public.webhook_delivery.id;
CREATE SEQUENCE public.webhook_id_seq
    START WITH 1000000000000000
    INCREMENT BY 16
    MINVALUE 1000000000000000
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.webhook_id_seq OWNED BY public.webhook.id;
CREATE TABLE public.webhook_position (
    id integer NOT NULL,
    change_id bigint NOT NULL
);
CREATE TABLE public.webhook_queue (
    webhook_id bigint NOT NULL,
    zone text NOT NULL COLLATE pg_catalog."C",
    next_at timestamp with time zone NOT NULL,
    claimed_until timestamp with time zone
);
CREATE TABLE public.zone_record (
    id bigint NOT NULL,
    domain_id bigint NOT NULL,
    owner text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    ttl integer NOT NULL,
    rdata text NOT NULL,
    wire bytea NOT NULL,
    digest bytea NOT NULL,
    "position" text GENERATED ALWAYS AS (((
CASE
    WHEN (owner = '@'::text) THEN ''::text
    ELSE owner
END || ' '::text) ||
CASE
    WHEN (type = 'SOA'::text) THEN ''::text
    ELSE type
END)) STORED NOT NULL COLLATE pg_catalog."C",
    change_id bigint DEFAULT 0 NOT NULL,
    change_ordinal integer DEFAULT 0 NOT NULL
);
CREATE SEQUENCE public.zone_record_id_seq
    START WITH 1000000000000000
    INCREMENT BY 16
    MINVALUE 1000000000000000
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.zone_record_id_seq OWNED BY public.zone_record.id;
CREATE TABLE public.zone_template (
    id bigint NOT NULL,
    user_id bigint,
    name text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL,
    revision integer NOT NULL,
    variables jsonb NOT NULL,
    records jsonb NOT NULL
);
CREATE SEQUENCE public.zone_template_id_seq
    START WITH 1000000000000000
    INCREMENT BY 16
    MINVALUE 1000000000000000
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.zone_template_id_seq OWNED BY public.zone_template.id;
ALTER TABLE ONLY public.api_key ALTER COLUMN id SET DEFAULT nextval('public.api_key_id_seq'::regclass);
ALTER TABLE ONLY public.audit_entry ALTER COLUMN id SET DEFAULT nextval('public.audit_entry_id_seq'::regclass);
ALTER TABLE ONLY public.change ALTER COLUMN id SET DEFAULT nextval('public.change_id_seq'::regclass);
ALTER TABLE ONLY public.change_set ALTER COLUMN id SET DEFAULT nextval('public.change_set_id_seq'::regclass);
ALTER TABLE ONLY public.domain ALTER COLUMN id SET DEFAULT nextval('public.domain_id_seq'::regclass);
ALTER TABLE ONLY public.mikro_orm_migrations ALTER COLUMN id SET DEFAULT nextval('public.mikro_orm_migrations_id_seq'::regclass);
ALTER TABLE ONLY public.outbox_event ALTER COLUMN id SET DEFAULT nextval('public.outbox_event_id_seq'::regclass);
ALTER TABLE ONLY public.secondary ALTER COLUMN id SET DEFAULT nextval('public.secondary_id_seq'::regclass);
ALTER TABLE ONLY public.tsig_key ALTER COLUMN id SET DEFAULT nextval('public.tsig_key_id_seq'::regclass);
ALTER TABLE ONLY public.update_refusal ALTER COLUMN id SET DEFAULT nextval('public.update_refusal_id_seq'::regclass);
ALTER TABLE ONLY public."user" ALTER COLUMN id SET DEFAULT nextval('public.user_id_seq'::regclass);
ALTER TABLE ONLY public.webhook ALTER COLUMN id SET DEFAULT nextval('public.webhook_id_seq'::regclass);
ALTER TABLE ONLY public.webhook_delivery ALTER COLUMN id SET DEFAULT nextval('public.webhook_delivery_id_seq'::regclass);
ALTER TABLE ONLY public.zone_record ALTER COLUMN id SET DEFAULT nextval('public.zone_record_id_seq'::regclass);
ALTER TABLE ONLY public.zone_template ALTER COLUMN id SET DEFAULT nextval('public.zone_template_id_seq'::regclass);
INSERT INTO public.api_key VALUES
	(1000000000000001, 'second administrator', NULL, false, 'a55254ae5d07ae09', '\xa55254ae5d07ae090dfe908a8989bf299bedcebc1c67611d3f7dd7a431bcb331', NULL, NULL, '2026-11-22 00:30:32.728+00', NULL, '2026-11-22 00:30:32.728+00', NULL),
	(1000000000000002, 'administrator, read-only', NULL, true, '77e9a0cf3abd4e2b', '\x77e9a0cf3abd4e2bc3d1f464f5392de42b19531b9de7866c35dd35cca99efb3a', NULL, NULL, '2026-11-22 00:30:32.732+00', NULL, '2026-11-22 00:30:32.732+00', NULL),
	(1000000000000003, 'alice', 1000000000000000, false, '192b1b9d94e87adb', '\x192b1b9d94e87adb26ffffc894a6336e4a8e7f48393aedcdc71fea0c860ec970', NULL, NULL, '2026-11-22 00:30:32.739+00', NULL, '2026-11-22 00:30:32.739+00', NULL),
	(1000000000000004, 'alice, read-only', 1000000000000000, true, '2d31084f046b86e8', '\x2d31084f046b86e8da496129d89ac8d51c3e1f7afe0301f57a5323c4e536f37a', '2099-12-31 23:59:59.999+00', NULL, '2026-11-22 00:30:32.745+00', NULL, '2026-11-22 00:30:32.745+00', NULL),
	(1000000000000005, 'alice, expired', 1000000000000000, false, '870ac14046bd410a', '\x870ac14046bd410a682045b46e2f0e3bd3f6b8b8188b277873d8d0cb10311127', '2026-11-22 00:30:33.747+00', NULL, '2026-11-22 00:30:32.749+00', NULL, '2026-11-22 00:30:32.749+00', NULL),
	(1000000000000006, 'alice, revoked', 1000000000000000, false, '1690ccb907256241', '\x1690ccb9072562418ce69778ba84a21a1872adb82450efe625072c1484ba614d', NULL, '2026-11-22 00:30:32.76+00', '2026-11-22 00:30:32.754+00', NULL, '2026-11-22 00:30:32.754+00', NULL),
	(1000000000000007, 'bob', 1000000000000001, false, '9f54cb34c08a3431', '\x9f54cb34c08a3431f3cf2d230060ca0a79d03bbf549f1a7ea4cb5c2ecfe9cda5', NULL, NULL, '2026-11-22 00:30:32.764+00', NULL, '2026-11-22 00:30:32.764+00', NULL),
	(1000000000000008, 'carol', 1000000000000002, false, '2d16c6f609cb20a0', '\x2d16c6f609cb20a0f079c39ca51e9dce772be3cd548588474a84bc1bbcbe443e', NULL, NULL, '2026-11-22 00:30:32.768+00', NULL, '2026-11-22 00:30:32.768+00', NULL),
	(1000000000000010, 'revoked administrator', NULL, false, '2eceecdaa1a95830', '\x2eceecdaa1a958300859d39ebe0cd7a3b4674a640da45452c5e800c52261914b', NULL, '2026-11-22 00:30:32.777+00', '2026-11-22 00:30:32.775+00', NULL, '2026-11-22 00:30:32.775+00', NULL),
	(1000000000000011, 'Käthe''s laptop ☕', 1000000000000001, false, 'f9487517e8fb2765', '\xf9487517e8fb2765493fe8ea3d7f44eecfffdb138bd895ace58ee4bc9a437cd6', NULL, NULL, '2026-11-22 00:30:32.782+00', NULL, '2026-11-22 00:30:32.782+00', NULL),
	(1000000000000000, 'administrator', NULL, false, '92fc24378e2618a6', '\x92fc24378e2618a669c0e3c37e917b1436236b8f7a6053085a8414ecda0aada5', NULL, NULL, '2026-11-22 00:30:32.442+00', NULL, '2026-11-28 13:49:43.536+00', NULL),
	(1000000000000564, 'owner of 1.0', 1000000000000560, false, '1b450904643b0c75', '\x1b450904643b0c7543ae64fe15654a6d37940a91a39fe107379ff7ba730af6d6', NULL, NULL, '2026-11-28 13:49:44.101+00', NULL, NULL, NULL);
INSERT INTO public.audit_entry VALUES
	(1000000000000575, '2026-11-28 13:49:43.586+00', 'system', NULL, NULL, 1000000000000002, 'system', NULL, 'system', 'ahead.example', 1000000000000563, NULL, NULL, NULL, 1),
	(1000000000000591, '2026-11-28 13:49:43.593+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'createUser', NULL, NULL, 1000000000000560, NULL, NULL, 1),
	(1000000000000607, '2026-11-28 13:49:43.633+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'rest', '127.0.0.1', 'createDomain', 'rest.v1-0.example', 1000000000000579, NULL, NULL, NULL, 1),
	(1000000000000623, '2026-11-28 13:49:43.665+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'rest', '127.0.0.1', 'createRecord', 'rest.v1-0.example', 1000000000000595, NULL, NULL, NULL, 1),
	(1000000000000639, '2026-11-28 13:49:43.72+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'rest', '127.0.0.1', 'createRecord', 'rest.v1-0.example', 1000000000000611, NULL, NULL, NULL, 1),
	(1000000000000655, '2026-11-28 13:49:43.722+00', 'system', NULL, NULL, NULL, 'system', NULL, 'system', 'catalog.zonesmith', 1000000000000627, NULL, NULL, NULL, 1),
	(1000000000000671, '2026-11-28 13:49:43.743+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'rest', '127.0.0.1', 'updateRecord', 'rest.v1-0.example', 1000000000000643, NULL, NULL, NULL, 1),
	(1000000000000687, '2026-11-28 13:49:43.761+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'rest', '127.0.0.1', 'createRecord', 'rest.v1-0.example', 1000000000000659, NULL, NULL, NULL, 1),
	(1000000000000703, '2026-11-28 13:49:43.773+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'rest', '127.0.0.1', 'createRecord', 'rest.v1-0.example', 1000000000000675, NULL, NULL, NULL, 1),
	(1000000000000719, '2026-11-28 13:49:43.802+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'rest', '127.0.0.1', 'deleteRecord', 'rest.v1-0.example', 1000000000000691, NULL, NULL, NULL, 1),
	(1000000000000735, '2026-11-28 13:49:43.818+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'createDomain', 'graphql.v1-0.example', 1000000000000707, NULL, NULL, NULL, 1),
	(1000000000000751, '2026-11-28 13:49:43.855+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'changeRecords', 'graphql.v1-0.example', 1000000000000723, NULL, NULL, NULL, 1),
	(1000000000000767, '2026-11-28 13:49:43.869+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'changeRecords', 'graphql.v1-0.example', 1000000000000739, NULL, NULL, NULL, 1),
	(1000000000000783, '2026-11-28 13:49:43.925+00', 'system', NULL, NULL, NULL, 'system', NULL, 'system', 'catalog.zonesmith', 1000000000000755, NULL, NULL, NULL, 1),
	(1000000000000799, '2026-11-28 13:49:43.934+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'import', '127.0.0.1', 'importZone', 'imported.v1-0.example', 1000000000000771, NULL, NULL, NULL, 1),
	(1000000000000815, '2026-11-28 13:49:44.002+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'import', '127.0.0.1', 'importZone', 'imported.v1-0.example', 1000000000000787, NULL, NULL, NULL, 1),
	(1000000000000831, '2026-11-28 13:49:44.02+00', 'system', NULL, NULL, NULL, 'system', NULL, 'system', 'catalog.zonesmith', 1000000000000803, NULL, NULL, NULL, 1),
	(1000000000000847, '2026-11-28 13:49:44.045+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'import', '127.0.0.1', 'importZone', 'imported.v1-0.example', 1000000000000819, NULL, NULL, NULL, 1),
	(1000000000000863, '2026-11-28 13:49:44.065+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'createDomain', 'again.v1-0.example', 1000000000000835, NULL, NULL, NULL, 1),
	(1000000000000879, '2026-11-28 13:49:44.076+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'deleteDomain', 'again.v1-0.example', 1000000000000851, NULL, NULL, NULL, 1),
	(1000000000000895, '2026-11-28 13:49:44.085+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'createDomain', 'again.v1-0.example', 1000000000000867, NULL, NULL, NULL, 1),
	(1000000000000911, '2026-11-28 13:49:44.112+00', 'system', NULL, NULL, NULL, 'system', NULL, 'system', 'catalog.zonesmith', 1000000000000883, NULL, NULL, NULL, 1),
	(1000000000000927, '2026-11-28 13:49:44.114+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'createApiKey', NULL, NULL, 1000000000000564, NULL, NULL, 1),
	(1000000000000943, '2026-11-28 13:49:44.14+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'createTsigKey', NULL, NULL, 1000000000000565, NULL, NULL, 1),
	(1000000000000959, '2026-11-28 13:49:44.16+00', 'key.v1-0.example (TSIG)', NULL, 1000000000000560, 1000000000000560, 'update', '127.0.0.1', 'update', 'rest.v1-0.example', 1000000000000899, NULL, NULL, NULL, 1),
	(1000000000000975, '2026-11-28 13:49:44.175+00', 'all.bob (TSIG)', NULL, 1000000000000001, 1000000000000001, 'update', '127.0.0.1', 'update', 'updates.example', 1000000000000915, NULL, NULL, NULL, 1),
	(1000000000000991, '2026-11-28 13:49:44.229+00', 'system', NULL, NULL, NULL, 'system', NULL, 'system', 'catalog.zonesmith', 1000000000000931, NULL, NULL, NULL, 1),
	(1000000000001007, '2026-11-28 13:49:44.236+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'createChangeSet', NULL, NULL, 1000000000000569, NULL, NULL, 1),
	(1000000000001023, '2026-11-28 13:49:44.282+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'applyChangeSet', 'rest.v1-0.example', 1000000000000947, NULL, NULL, NULL, 1),
	(1000000000001039, '2026-11-28 13:49:44.307+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'applyChangeSet', NULL, NULL, 1000000000000569, NULL, NULL, 1),
	(1000000000001055, '2026-11-28 13:49:44.328+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'createChangeSet', NULL, NULL, 1000000000000585, NULL, NULL, 1),
	(1000000000001071, '2026-11-28 13:49:44.347+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'setNote', 'rest.v1-0.example', NULL, NULL, NULL, NULL, 1),
	(1000000000001087, '2026-11-28 13:49:44.4+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'updateDomain', 'rest.v1-0.example', NULL, 1000000000000577, NULL, NULL, 1),
	(1000000000001103, '2026-11-28 13:49:44.419+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'createTemplate', NULL, NULL, 1000000000000570, NULL, NULL, 1),
	(1000000000001119, '2026-11-28 13:49:44.443+00', 'administrator (92fc2437)', 1000000000000000, NULL, 1000000000000560, 'graphql', '127.0.0.1', 'createWebhook', NULL, NULL, 1000000000000573, NULL, NULL, 1);
INSERT INTO public.catalog_guard VALUES
	(1, 1, '2026-11-22 00:30:38.345+00', 42, 12, NULL);
INSERT INTO public.change VALUES
	(1000000000000000, 1000000000000000, 'example.com', 'CREATE', NULL, 2026112201, 'alice (192b1b9d)', 'rest', '2026-11-22 00:30:32.843+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000001, 1000000000000000, 'example.com', 'EDIT', 2026112201, 2026112202, 'alice (192b1b9d)', 'rest', '2026-11-22 00:30:32.858+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000002, 1000000000000000, 'example.com', 'EDIT', 2026112202, 2026112203, 'alice (192b1b9d)', 'rest', '2026-11-22 00:30:32.87+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000003, 1000000000000000, 'example.com', 'EDIT', 2026112203, 2026112204, 'alice (192b1b9d)', 'rest', '2026-11-22 00:30:32.878+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000004, 1000000000000000, 'example.com', 'EDIT', 2026112204, 2026112205, 'alice (192b1b9d)', 'rest', '2026-11-22 00:30:32.888+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000005, 1000000000000000, 'example.com', 'EDIT', 2026112205, 2026112206, 'alice (192b1b9d)', 'rest', '2026-11-22 00:30:32.897+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000006, 1000000000000000, 'example.com', 'EDIT', 2026112206, 2026112207, 'alice (192b1b9d)', 'rest', '2026-11-22 00:30:32.907+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000007, 1000000000000000, 'example.com', 'EDIT', 2026112207, 2026112208, 'alice (192b1b9d)', 'rest', '2026-11-22 00:30:32.92+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000008, 1000000000000000, 'example.com', 'EDIT', 2026112208, 2026112209, 'alice (192b1b9d)', 'rest', '2026-11-22 00:30:32.945+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000009, 1000000000000000, 'example.com', 'EDIT', 2026112209, 2026112210, 'alice (192b1b9d)', 'graphql', '2026-11-22 00:30:32.957+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000010, 1000000000000000, 'example.com', 'EDIT', 2026112210, 2026112211, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:32.979+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000011, 1000000000000000, 'example.com', 'EDIT', 2026112211, 2026112212, 'alice (192b1b9d)', 'graphql', '2026-11-22 00:30:32.989+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000012, 1000000000000001, 'sub.example.com', 'CREATE', NULL, 2026112201, 'alice (192b1b9d)', 'graphql', '2026-11-22 00:30:33.002+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000013, 1000000000000001, 'sub.example.com', 'EDIT', 2026112201, 2026112202, 'alice (192b1b9d)', 'graphql', '2026-11-22 00:30:33.012+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000014, 1000000000000002, 'bob.example.com', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.021+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000015, 1000000000000003, '2.0.192.in-addr.arpa', 'CREATE', NULL, 2026112201, 'alice (192b1b9d)', 'graphql', '2026-11-22 00:30:33.03+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000016, 1000000000000003, '2.0.192.in-addr.arpa', 'EDIT', 2026112201, 2026112202, 'alice (192b1b9d)', 'graphql', '2026-11-22 00:30:33.04+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000017, 1000000000000004, '8.b.d.0.1.0.0.2.ip6.arpa', 'CREATE', NULL, 2026112201, 'bob (9f54cb34)', 'graphql', '2026-11-22 00:30:33.05+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000018, 1000000000000004, '8.b.d.0.1.0.0.2.ip6.arpa', 'EDIT', 2026112201, 2026112202, 'bob (9f54cb34)', 'graphql', '2026-11-22 00:30:33.058+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000019, 1000000000000005, 'transferred.example', 'CREATE', NULL, 2026112201, 'bob (9f54cb34)', 'graphql', '2026-11-22 00:30:33.068+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000020, 1000000000000005, 'transferred.example', 'EDIT', 2026112201, 2026112202, 'bob (9f54cb34)', 'graphql', '2026-11-22 00:30:33.076+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000021, 1000000000000006, 'types.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.09+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000022, 1000000000000006, 'types.example', 'EDIT', 2026112201, 2026112202, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.113+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000023, 1000000000000007, 'vectors.example', 'CREATE', NULL, 2026112201, 'bob (9f54cb34)', 'import', '2026-11-22 00:30:33.154+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000024, 1000000000000008, 'xn--bcher-kva.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.383+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000025, 1000000000000008, 'xn--bcher-kva.example', 'EDIT', 2026112201, 2026112202, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.401+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000026, 1000000000000009, 'names.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.409+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000027, 1000000000000009, 'names.example', 'EDIT', 2026112201, 2026112202, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.422+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000028, 1000000000000010, '0/25.2.0.192.in-addr.arpa', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.432+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000029, 1000000000000010, '0/25.2.0.192.in-addr.arpa', 'EDIT', 2026112201, 2026112202, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.457+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000030, 1000000000000011, 'data.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.466+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000031, 1000000000000011, 'data.example', 'EDIT', 2026112201, 2026112202, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.485+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000032, 1000000000000012, 'many.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.494+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000033, 1000000000000012, 'many.example', 'EDIT', 2026112201, 2026112202, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.507+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000034, 1000000000000013, 'imported.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.52+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000035, 1000000000000013, 'imported.example', 'EDIT', 2026112201, 2026112202, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.529+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000036, 1000000000000013, 'imported.example', 'EDIT', 2026112202, 2026112203, 'administrator (92fc2437)', 'import', '2026-11-22 00:30:33.543+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000037, 1000000000000013, 'imported.example', 'EDIT', 2026112203, 2098010107, 'carol (2d16c6f6)', 'import', '2026-11-22 00:30:33.661+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000038, 1000000000000013, 'imported.example', 'EDIT', 2098010107, 2098010108, 'carol (2d16c6f6)', 'graphql', '2026-11-22 00:30:33.785+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000039, 1000000000000014, 'serial-set.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.799+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000040, 1000000000000014, 'serial-set.example', 'EDIT', 2026112201, 2099010150, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.818+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000041, 1000000000000015, 'serial-end.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.826+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000042, 1000000000000015, 'serial-end.example', 'EDIT', 2026112201, 4173595848, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.842+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000043, 1000000000000015, 'serial-end.example', 'EDIT', 4173595848, 4294967295, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.855+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000044, 1000000000000016, 'serial-around.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.868+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000045, 1000000000000016, 'serial-around.example', 'EDIT', 2026112201, 4173595848, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.883+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000046, 1000000000000016, 'serial-around.example', 'EDIT', 4173595848, 4294967295, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.897+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000047, 1000000000000017, 'serial-wrapped.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.905+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000048, 1000000000000017, 'serial-wrapped.example', 'EDIT', 2026112201, 4173595848, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.921+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000049, 1000000000000017, 'serial-wrapped.example', 'EDIT', 4173595848, 4294967295, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.932+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000050, 1000000000000016, 'serial-around.example', 'EDIT', 4294967295, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.939+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000051, 1000000000000017, 'serial-wrapped.example', 'EDIT', 4294967295, 5, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.95+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000052, 1000000000000018, 'deleted.example', 'CREATE', NULL, 2026112201, 'alice (192b1b9d)', 'graphql', '2026-11-22 00:30:33.961+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000053, 1000000000000018, 'deleted.example', 'EDIT', 2026112201, 2026112202, 'alice (192b1b9d)', 'graphql', '2026-11-22 00:30:33.968+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000054, 1000000000000018, 'deleted.example', 'EDIT', 2026112202, 2099020203, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:33.981+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000055, 1000000000000019, 'again.example', 'CREATE', NULL, 2026112201, 'alice (192b1b9d)', 'graphql', '2026-11-22 00:30:33.99+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000056, 1000000000000019, 'again.example', 'EDIT', 2026112201, 2026112202, 'alice (192b1b9d)', 'graphql', '2026-11-22 00:30:33.997+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000057, 1000000000000019, 'again.example', 'EDIT', 2026112202, 2099020203, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:34.009+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000058, 1000000000000018, 'deleted.example', 'DELETE', 2099020203, 2099020203, 'alice (192b1b9d)', 'graphql', '2026-11-22 00:30:34.015+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000059, 1000000000000019, 'again.example', 'DELETE', 2099020203, 2099020203, 'alice (192b1b9d)', 'rest', '2026-11-22 00:30:34.025+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000060, 1000000000000020, 'again.example', 'CREATE', NULL, 2099020204, 'bob (9f54cb34)', 'graphql', '2026-11-22 00:30:34.041+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000061, 1000000000000020, 'again.example', 'EDIT', 2099020204, 2099020205, 'bob (9f54cb34)', 'graphql', '2026-11-22 00:30:34.054+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000062, 1000000000000021, 'orphan.example', 'CREATE', NULL, 2026112201, 'dave (733b29ee)', 'graphql', '2026-11-22 00:30:34.064+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000063, 1000000000000021, 'orphan.example', 'EDIT', 2026112201, 2026112202, 'dave (733b29ee)', 'graphql', '2026-11-22 00:30:34.072+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000067, 1000000000000022, 'updates.example', 'EDIT', 2026112203, 2026112204, 'nobodys (TSIG)', 'update', '2026-11-22 00:30:34.155+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000064, 1000000000000022, 'updates.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:34.099+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000065, 1000000000000022, 'updates.example', 'EDIT', 2026112201, 2026112202, 'all.bob (TSIG)', 'update', '2026-11-22 00:30:34.12+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000066, 1000000000000022, 'updates.example', 'EDIT', 2026112202, 2026112203, 'strong.bob (TSIG)', 'update', '2026-11-22 00:30:34.145+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000068, 1000000000000022, 'updates.example', 'EDIT', 2026112204, 2026112205, 'acme.bob (TSIG)', 'update', '2026-11-22 00:30:34.164+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000069, 1000000000000023, 'refused.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.449+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000070, 1000000000000024, 'late.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.466+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000071, 1000000000000025, 'ahead.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.486+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000072, 1000000000000026, 'resynced.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.501+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000073, 1000000000000027, 'kept.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.513+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000074, 1000000000000028, 'removed.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.524+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000075, 1000000000000029, 'back.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.535+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000076, 1000000000000030, 'erin1.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.545+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000077, 1000000000000031, 'erin2.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.555+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000078, 1000000000000032, 'erin3.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.569+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000079, 1000000000000033, 'erin4.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.581+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000080, 1000000000000034, 'erin5.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.593+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000081, 1000000000000035, 'erin6.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.607+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000082, 1000000000000036, 'erin7.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.62+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000083, 1000000000000037, 'erin8.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.628+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000084, 1000000000000038, 'erin9.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.636+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000085, 1000000000000039, 'erin10.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.644+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000086, 1000000000000040, 'erin11.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.653+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000087, 1000000000000041, 'erin12.example', 'CREATE', NULL, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:35.661+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000088, 1000000000000042, 'catalog.zonesmith', 'CREATE', NULL, 2026112201, 'system', 'system', '2026-11-22 00:30:36.765+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000089, 1000000000000042, 'catalog.zonesmith', 'EDIT', 2026112201, 2026112202, 'system', 'system', '2026-11-22 00:30:36.861+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000090, 1000000000000026, 'resynced.example', 'EDIT', 2026112201, 2026117202, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:36.928+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000091, 1000000000000022, 'updates.example', 'EDIT', 2026112205, 2026112206, 'sealed.bob (TSIG)', 'update', '2026-11-22 00:30:36.958+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000092, 1000000000000022, 'updates.example', 'EDIT', 2026112206, 2026112207, 'all.bob (TSIG)', 'update', '2026-11-22 00:30:36.969+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000093, 1000000000000027, 'kept.example', 'DELETE', 2026112201, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:37.027+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000094, 1000000000000028, 'removed.example', 'DELETE', 2026112201, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:37.046+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000095, 1000000000000029, 'back.example', 'DELETE', 2026112201, 2026112201, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:37.13+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000096, 1000000000000043, 'back.example', 'CREATE', NULL, 2026112202, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:37.153+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000097, 1000000000000042, 'catalog.zonesmith', 'EDIT', 2026112202, 2026112203, 'system', 'system', '2026-11-22 00:30:37.16+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000098, 1000000000000042, 'catalog.zonesmith', 'EDIT', 2026112203, 2026112204, 'system', 'system', '2026-11-22 00:30:37.222+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000099, 1000000000000022, 'updates.example', 'EDIT', 2026112207, 2026112208, 'administrator (92fc2437)', 'graphql', '2026-11-22 00:30:37.265+00', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.change VALUES
	(1000000000000100, 1000000000000030, 'erin1.example', 'DELETE', 2026112201, 2026112201, 'administrator (92fc2437)', 'rest', '2026-11-22 00:30:38.316+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000101, 1000000000000039, 'erin10.example', 'DELETE', 2026112201, 2026112201, 'administrator (92fc2437)', 'rest', '2026-11-22 00:30:38.318+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000102, 1000000000000040, 'erin11.example', 'DELETE', 2026112201, 2026112201, 'administrator (92fc2437)', 'rest', '2026-11-22 00:30:38.32+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000103, 1000000000000041, 'erin12.example', 'DELETE', 2026112201, 2026112201, 'administrator (92fc2437)', 'rest', '2026-11-22 00:30:38.322+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000104, 1000000000000031, 'erin2.example', 'DELETE', 2026112201, 2026112201, 'administrator (92fc2437)', 'rest', '2026-11-22 00:30:38.323+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000105, 1000000000000032, 'erin3.example', 'DELETE', 2026112201, 2026112201, 'administrator (92fc2437)', 'rest', '2026-11-22 00:30:38.324+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000106, 1000000000000033, 'erin4.example', 'DELETE', 2026112201, 2026112201, 'administrator (92fc2437)', 'rest', '2026-11-22 00:30:38.325+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000107, 1000000000000034, 'erin5.example', 'DELETE', 2026112201, 2026112201, 'administrator (92fc2437)', 'rest', '2026-11-22 00:30:38.327+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000108, 1000000000000035, 'erin6.example', 'DELETE', 2026112201, 2026112201, 'administrator (92fc2437)', 'rest', '2026-11-22 00:30:38.328+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000109, 1000000000000036, 'erin7.example', 'DELETE', 2026112201, 2026112201, 'administrator (92fc2437)', 'rest', '2026-11-22 00:30:38.329+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000110, 1000000000000037, 'erin8.example', 'DELETE', 2026112201, 2026112201, 'administrator (92fc2437)', 'rest', '2026-11-22 00:30:38.33+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000111, 1000000000000038, 'erin9.example', 'DELETE', 2026112201, 2026112201, 'administrator (92fc2437)', 'rest', '2026-11-22 00:30:38.331+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000563, 1000000000000025, 'ahead.example', 'EDIT', 2026112201, 2026113202, 'system', 'system', '2026-11-28 13:49:43.586+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000579, 1000000000000577, 'rest.v1-0.example', 'CREATE', NULL, 2026112801, 'administrator (92fc2437)', 'rest', '2026-11-28 13:49:43.633+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000595, 1000000000000577, 'rest.v1-0.example', 'EDIT', 2026112801, 2026112802, 'administrator (92fc2437)', 'rest', '2026-11-28 13:49:43.665+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000611, 1000000000000577, 'rest.v1-0.example', 'EDIT', 2026112802, 2026112803, 'administrator (92fc2437)', 'rest', '2026-11-28 13:49:43.72+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000627, 1000000000000042, 'catalog.zonesmith', 'EDIT', 2026112204, 2026112801, 'system', 'system', '2026-11-28 13:49:43.722+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000643, 1000000000000577, 'rest.v1-0.example', 'EDIT', 2026112803, 2026112804, 'administrator (92fc2437)', 'rest', '2026-11-28 13:49:43.743+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000659, 1000000000000577, 'rest.v1-0.example', 'EDIT', 2026112804, 2026112805, 'administrator (92fc2437)', 'rest', '2026-11-28 13:49:43.761+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000675, 1000000000000577, 'rest.v1-0.example', 'EDIT', 2026112805, 2026112806, 'administrator (92fc2437)', 'rest', '2026-11-28 13:49:43.773+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000691, 1000000000000577, 'rest.v1-0.example', 'EDIT', 2026112806, 2026112807, 'administrator (92fc2437)', 'rest', '2026-11-28 13:49:43.802+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000707, 1000000000000593, 'graphql.v1-0.example', 'CREATE', NULL, 2026112801, 'administrator (92fc2437)', 'graphql', '2026-11-28 13:49:43.818+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000723, 1000000000000593, 'graphql.v1-0.example', 'EDIT', 2026112801, 2026112802, 'administrator (92fc2437)', 'graphql', '2026-11-28 13:49:43.855+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000739, 1000000000000593, 'graphql.v1-0.example', 'EDIT', 2026112802, 2026112803, 'administrator (92fc2437)', 'graphql', '2026-11-28 13:49:43.869+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000755, 1000000000000042, 'catalog.zonesmith', 'EDIT', 2026112801, 2026112802, 'system', 'system', '2026-11-28 13:49:43.925+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000771, 1000000000000609, 'imported.v1-0.example', 'CREATE', NULL, 2026112801, 'administrator (92fc2437)', 'import', '2026-11-28 13:49:43.934+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000787, 1000000000000609, 'imported.v1-0.example', 'EDIT', 2026112801, 2026112802, 'administrator (92fc2437)', 'import', '2026-11-28 13:49:44.002+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000803, 1000000000000042, 'catalog.zonesmith', 'EDIT', 2026112802, 2026112803, 'system', 'system', '2026-11-28 13:49:44.02+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000819, 1000000000000609, 'imported.v1-0.example', 'EDIT', 2026112802, 2026112803, 'administrator (92fc2437)', 'import', '2026-11-28 13:49:44.045+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000851, 1000000000000625, 'again.v1-0.example', 'DELETE', 2026112801, 2026112801, 'administrator (92fc2437)', 'graphql', '2026-11-28 13:49:44.076+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000835, 1000000000000625, 'again.v1-0.example', 'CREATE', NULL, 2026112801, 'administrator (92fc2437)', 'graphql', '2026-11-28 13:49:44.065+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000867, 1000000000000641, 'again.v1-0.example', 'CREATE', NULL, 2026112802, 'administrator (92fc2437)', 'graphql', '2026-11-28 13:49:44.085+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000899, 1000000000000577, 'rest.v1-0.example', 'EDIT', 2026112807, 2026112808, 'key.v1-0.example (TSIG)', 'update', '2026-11-28 13:49:44.16+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000915, 1000000000000022, 'updates.example', 'EDIT', 2026112208, 2026112801, 'all.bob (TSIG)', 'update', '2026-11-28 13:49:44.175+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000883, 1000000000000042, 'catalog.zonesmith', 'EDIT', 2026112803, 2026112804, 'system', 'system', '2026-11-28 13:49:44.112+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000931, 1000000000000042, 'catalog.zonesmith', 'EDIT', 2026112804, 2026112805, 'system', 'system', '2026-11-28 13:49:44.229+00', NULL, NULL, NULL, NULL, NULL),
	(1000000000000947, 1000000000000577, 'rest.v1-0.example', 'EDIT', 2026112808, 2026112809, 'administrator (92fc2437)', 'graphql', '2026-11-28 13:49:44.282+00', 'applied', NULL, NULL, 1000000000000569, 'administrator (92fc2437)');
INSERT INTO public.change_record VALUES
	(1000000000000006, 2, 1000000000000000, 1000000000000594, 1000000000000005, 3, 'host', 'A', 900, '192.0.2.9', '\xc0000209'),
	(1000000000000007, 2, 1000000000000000, 1000000000000594, 1000000000000006, 5, 'host', 'A', 7200, '192.0.2.9', '\xc0000209'),
	(1000000000000007, 3, 1000000000000000, 1000000000000009, 1000000000000006, 4, 'host', 'A', 7200, '192.0.2.10', '\xc000020a'),
	(1000000000000008, 2, 1000000000000000, 1000000000001506, 1000000000000000, 4, 'www', 'CNAME', 3600, 'example.com.', '\x076578616d706c6503636f6d00'),
	(1000000000000010, 2, 1000000000000000, 1000000000001634, 1000000000000002, 3, 'mail', 'AAAA', 3600, '2001:db8::1', '\x20010db8000000000000000000000001'),
	(1000000000000010, 3, 1000000000000000, 1000000000000850, 1000000000000003, 3, '@', 'MX', 86400, '10 mail.example.com.', '\x000a046d61696c076578616d706c6503636f6d00'),
	(1000000000000037, 3, 1000000000000013, 1000000000001522, 1000000000000034, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000037, 4, 1000000000000013, 1000000000001362, 1000000000000034, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000037, 5, 1000000000000013, 1000000000000333, 1000000000000035, 4, 'kept', 'A', 300, '192.0.2.2', '\xc0000202'),
	(1000000000000037, 6, 1000000000000013, 1000000000002002, 1000000000000036, 3, 'kept', 'A', 300, '192.0.2.4', '\xc0000204'),
	(1000000000000037, 7, 1000000000000013, 1000000000001090, 1000000000000036, 4, 'merged', 'A', 300, '192.0.2.3', '\xc0000203'),
	(1000000000000037, 8, 1000000000000013, 1000000000001730, 1000000000000036, 5, 'merged', 'TXT', 300, '"one" "two"', '\x036f6e650374776f'),
	(1000000000000037, 9, 1000000000000013, 1000000000000626, 1000000000000035, 3, 'old', 'A', 300, '192.0.2.1', '\xc0000201'),
	(1000000000000037, 10, 1000000000000013, 1000000000000802, 1000000000000034, 4, 'www', 'CNAME', 3600, 'imported.example.', '\x08696d706f72746564076578616d706c6500'),
	(1000000000000095, 3, 1000000000000029, 1000000000001314, 1000000000000075, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000899, 1, 1000000000000577, 1000000000002098, 1000000000000643, 4, 'a', 'A', 300, '192.0.2.2', '\xc0000202'),
	(1000000000000058, 2, 1000000000000018, 1000000000001154, 1000000000000052, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000058, 3, 1000000000000018, 1000000000000994, 1000000000000052, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000058, 4, 1000000000000018, 1000000000001778, 1000000000000053, 3, 'a', 'A', 300, '192.0.2.1', '\xc0000201'),
	(1000000000000058, 5, 1000000000000018, 1000000000001810, 1000000000000053, 4, 'a', 'A', 300, '192.0.2.2', '\xc0000202'),
	(1000000000000058, 6, 1000000000000018, 1000000000001250, 1000000000000052, 4, 'www', 'CNAME', 3600, 'deleted.example.', '\x0764656c65746564076578616d706c6500'),
	(1000000000000059, 2, 1000000000000019, 1000000000001058, 1000000000000055, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000059, 3, 1000000000000019, 1000000000000882, 1000000000000055, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000059, 4, 1000000000000019, 1000000000001666, 1000000000000056, 3, 'a', 'A', 300, '192.0.2.1', '\xc0000201'),
	(1000000000000059, 5, 1000000000000019, 1000000000001906, 1000000000000056, 4, 'a', 'A', 300, '192.0.2.2', '\xc0000202'),
	(1000000000000059, 6, 1000000000000019, 1000000000000706, 1000000000000055, 4, 'www', 'CNAME', 3600, 'again.example.', '\x05616761696e076578616d706c6500'),
	(1000000000000066, 2, 1000000000000022, 1000000000001602, 1000000000000065, 3, 'host', 'A', 300, '192.0.2.1', '\xc0000201'),
	(1000000000000067, 2, 1000000000000022, 1000000000000690, 1000000000000064, 4, 'www', 'CNAME', 3600, 'updates.example.', '\x0775706461746573076578616d706c6500'),
	(1000000000000067, 3, 1000000000000022, 1000000000000562, 1000000000000065, 5, 'host', 'TXT', 300, '"a b"', '\x03612062'),
	(1000000000000068, 2, 1000000000000022, 1000000000000642, 1000000000000067, 5, '_acme-challenge', 'TXT', 120, '"gone"', '\x04676f6e65'),
	(1000000000000093, 2, 1000000000000027, 1000000000001714, 1000000000000073, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000093, 3, 1000000000000027, 1000000000001938, 1000000000000073, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000093, 4, 1000000000000027, 1000000000001986, 1000000000000073, 4, 'www', 'CNAME', 3600, 'kept.example.', '\x046b657074076578616d706c6500'),
	(1000000000000094, 2, 1000000000000028, 1000000000001474, 1000000000000074, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000094, 3, 1000000000000028, 1000000000001346, 1000000000000074, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000094, 4, 1000000000000028, 1000000000001266, 1000000000000074, 4, 'www', 'CNAME', 3600, 'removed.example.', '\x0772656d6f766564076578616d706c6500'),
	(1000000000000095, 2, 1000000000000029, 1000000000001538, 1000000000000075, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000095, 4, 1000000000000029, 1000000000001442, 1000000000000075, 4, 'www', 'CNAME', 3600, 'back.example.', '\x046261636b076578616d706c6500'),
	(1000000000000097, 2, 1000000000000042, 1000000000000722, 1000000000000089, 8, '655300ad-f284-4808-b166-a987477695c4.zones', 'PTR', 0, 'back.example.', '\x046261636b076578616d706c6500'),
	(1000000000000097, 3, 1000000000000042, 1000000000001218, 1000000000000089, 25, '4d458cbc-a41e-4c5f-a501-a7a98bb22173.zones', 'PTR', 0, 'kept.example.', '\x046b657074076578616d706c6500'),
	(1000000000000097, 4, 1000000000000042, 1000000000001458, 1000000000000089, 28, '8ec8b949-64d4-4162-86cd-e6129c19afa6.zones', 'PTR', 0, 'names.example.', '\x056e616d6573076578616d706c6500'),
	(1000000000000097, 5, 1000000000000042, 1000000000001378, 1000000000000089, 31, 'ec304e88-a100-42eb-a4fc-e94d832ec988.zones', 'PTR', 0, 'removed.example.', '\x0772656d6f766564076578616d706c6500'),
	(1000000000000100, 2, 1000000000000030, 1000000000001954, 1000000000000076, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000100, 3, 1000000000000030, 1000000000001698, 1000000000000076, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000100, 4, 1000000000000030, 1000000000001890, 1000000000000076, 4, 'www', 'CNAME', 3600, 'erin1.example.', '\x056572696e31076578616d706c6500'),
	(1000000000000101, 2, 1000000000000039, 1000000000000866, 1000000000000085, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000101, 3, 1000000000000039, 1000000000001010, 1000000000000085, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000101, 4, 1000000000000039, 1000000000000578, 1000000000000085, 4, 'www', 'CNAME', 3600, 'erin10.example.', '\x066572696e3130076578616d706c6500'),
	(1000000000000102, 2, 1000000000000040, 1000000000001762, 1000000000000086, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000102, 3, 1000000000000040, 1000000000001874, 1000000000000086, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000102, 4, 1000000000000040, 1000000000001682, 1000000000000086, 4, 'www', 'CNAME', 3600, 'erin11.example.', '\x066572696e3131076578616d706c6500'),
	(1000000000000103, 2, 1000000000000041, 1000000000000898, 1000000000000087, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000103, 3, 1000000000000041, 1000000000001074, 1000000000000087, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000103, 4, 1000000000000041, 1000000000001794, 1000000000000087, 4, 'www', 'CNAME', 3600, 'erin12.example.', '\x066572696e3132076578616d706c6500'),
	(1000000000000104, 2, 1000000000000031, 1000000000000674, 1000000000000077, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000104, 3, 1000000000000031, 1000000000000738, 1000000000000077, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000104, 4, 1000000000000031, 1000000000001618, 1000000000000077, 4, 'www', 'CNAME', 3600, 'erin2.example.', '\x056572696e32076578616d706c6500'),
	(1000000000000105, 2, 1000000000000032, 1000000000001298, 1000000000000078, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000105, 3, 1000000000000032, 1000000000001554, 1000000000000078, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000105, 4, 1000000000000032, 1000000000001394, 1000000000000078, 4, 'www', 'CNAME', 3600, 'erin3.example.', '\x056572696e33076578616d706c6500'),
	(1000000000000106, 2, 1000000000000033, 1000000000001426, 1000000000000079, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000106, 3, 1000000000000033, 1000000000001234, 1000000000000079, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000106, 4, 1000000000000033, 1000000000001858, 1000000000000079, 4, 'www', 'CNAME', 3600, 'erin4.example.', '\x056572696e34076578616d706c6500'),
	(1000000000000107, 2, 1000000000000034, 1000000000000658, 1000000000000080, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000107, 3, 1000000000000034, 1000000000000786, 1000000000000080, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000107, 4, 1000000000000034, 1000000000001490, 1000000000000080, 4, 'www', 'CNAME', 3600, 'erin5.example.', '\x056572696e35076578616d706c6500'),
	(1000000000000108, 2, 1000000000000035, 1000000000001186, 1000000000000081, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000108, 3, 1000000000000035, 1000000000000914, 1000000000000081, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000108, 4, 1000000000000035, 1000000000001586, 1000000000000081, 4, 'www', 'CNAME', 3600, 'erin6.example.', '\x056572696e36076578616d706c6500'),
	(1000000000000109, 2, 1000000000000036, 1000000000000962, 1000000000000082, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000109, 3, 1000000000000036, 1000000000001106, 1000000000000082, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000109, 4, 1000000000000036, 1000000000000610, 1000000000000082, 4, 'www', 'CNAME', 3600, 'erin7.example.', '\x056572696e37076578616d706c6500'),
	(1000000000000110, 2, 1000000000000037, 1000000000000978, 1000000000000083, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000110, 3, 1000000000000037, 1000000000001170, 1000000000000083, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000110, 4, 1000000000000037, 1000000000000754, 1000000000000083, 4, 'www', 'CNAME', 3600, 'erin8.example.', '\x056572696e38076578616d706c6500'),
	(1000000000000111, 2, 1000000000000038, 1000000000001650, 1000000000000084, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000111, 3, 1000000000000038, 1000000000001826, 1000000000000084, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000111, 4, 1000000000000038, 1000000000001202, 1000000000000084, 4, 'www', 'CNAME', 3600, 'erin9.example.', '\x056572696e39076578616d706c6500'),
	(1000000000000037, 1, 1000000000000013, 1000000000000328, 1000000000000034, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000058, 1, 1000000000000018, 1000000000000946, 1000000000000052, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000059, 1, 1000000000000019, 1000000000000834, 1000000000000055, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000093, 1, 1000000000000027, 1000000000001970, 1000000000000073, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000094, 1, 1000000000000028, 1000000000001410, 1000000000000074, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000095, 1, 1000000000000029, 1000000000001330, 1000000000000075, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000100, 1, 1000000000000030, 1000000000001746, 1000000000000076, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000104, 1, 1000000000000031, 1000000000000770, 1000000000000077, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000105, 1, 1000000000000032, 1000000000001570, 1000000000000078, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000106, 1, 1000000000000033, 1000000000001282, 1000000000000079, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000107, 1, 1000000000000034, 1000000000000818, 1000000000000080, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000108, 1, 1000000000000035, 1000000000000930, 1000000000000081, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000109, 1, 1000000000000036, 1000000000001138, 1000000000000082, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000110, 1, 1000000000000037, 1000000000001122, 1000000000000083, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000111, 1, 1000000000000038, 1000000000001842, 1000000000000084, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000101, 1, 1000000000000039, 1000000000001042, 1000000000000085, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000102, 1, 1000000000000040, 1000000000001922, 1000000000000086, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000103, 1, 1000000000000041, 1000000000001026, 1000000000000087, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000643, 1, 1000000000000577, 1000000000002082, 1000000000000595, 1, 'a', 'A', 3600, '192.0.2.1', '\xc0000201'),
	(1000000000000643, 2, 1000000000000577, 1000000000002098, 1000000000000611, 1, 'a', 'A', 3600, '192.0.2.2', '\xc0000202'),
	(1000000000000691, 1, 1000000000000577, 1000000000002146, 1000000000000675, 1, 'c', 'A', 3600, '192.0.2.1', '\xc0000201'),
	(1000000000000819, 1, 1000000000000609, 1000000000003330, 1000000000000771, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10');
INSERT INTO public.change_record VALUES
	(1000000000000819, 3, 1000000000000609, 1000000000003362, 1000000000000771, 3, 'host0', 'A', 60, '203.0.113.0', '\xcb007100'),
	(1000000000000819, 4, 1000000000000609, 1000000000003522, 1000000000000771, 5, 'host10', 'A', 60, '203.0.113.10', '\xcb00710a'),
	(1000000000000819, 5, 1000000000000609, 1000000000003538, 1000000000000771, 6, 'host11', 'A', 60, '203.0.113.11', '\xcb00710b'),
	(1000000000000819, 6, 1000000000000609, 1000000000003554, 1000000000000771, 7, 'host12', 'A', 60, '203.0.113.12', '\xcb00710c'),
	(1000000000000819, 7, 1000000000000609, 1000000000003570, 1000000000000771, 8, 'host13', 'A', 60, '203.0.113.13', '\xcb00710d'),
	(1000000000000819, 8, 1000000000000609, 1000000000003586, 1000000000000771, 9, 'host14', 'A', 60, '203.0.113.14', '\xcb00710e'),
	(1000000000000819, 9, 1000000000000609, 1000000000003602, 1000000000000771, 10, 'host15', 'A', 60, '203.0.113.15', '\xcb00710f'),
	(1000000000000819, 10, 1000000000000609, 1000000000003618, 1000000000000771, 11, 'host16', 'A', 60, '203.0.113.16', '\xcb007110'),
	(1000000000000819, 11, 1000000000000609, 1000000000003634, 1000000000000771, 12, 'host17', 'A', 60, '203.0.113.17', '\xcb007111'),
	(1000000000000819, 12, 1000000000000609, 1000000000003650, 1000000000000771, 13, 'host18', 'A', 60, '203.0.113.18', '\xcb007112'),
	(1000000000000819, 13, 1000000000000609, 1000000000003666, 1000000000000771, 14, 'host19', 'A', 60, '203.0.113.19', '\xcb007113'),
	(1000000000000819, 14, 1000000000000609, 1000000000003394, 1000000000000771, 15, 'host2', 'A', 60, '203.0.113.2', '\xcb007102'),
	(1000000000000819, 15, 1000000000000609, 1000000000003682, 1000000000000771, 16, 'host20', 'A', 60, '203.0.113.20', '\xcb007114'),
	(1000000000000819, 16, 1000000000000609, 1000000000003698, 1000000000000771, 17, 'host21', 'A', 60, '203.0.113.21', '\xcb007115'),
	(1000000000000819, 17, 1000000000000609, 1000000000003714, 1000000000000771, 18, 'host22', 'A', 60, '203.0.113.22', '\xcb007116'),
	(1000000000000819, 18, 1000000000000609, 1000000000003730, 1000000000000771, 19, 'host23', 'A', 60, '203.0.113.23', '\xcb007117'),
	(1000000000000819, 19, 1000000000000609, 1000000000003746, 1000000000000771, 20, 'host24', 'A', 60, '203.0.113.24', '\xcb007118'),
	(1000000000000819, 20, 1000000000000609, 1000000000003762, 1000000000000771, 21, 'host25', 'A', 60, '203.0.113.25', '\xcb007119'),
	(1000000000000819, 21, 1000000000000609, 1000000000003778, 1000000000000771, 22, 'host26', 'A', 60, '203.0.113.26', '\xcb00711a'),
	(1000000000000819, 22, 1000000000000609, 1000000000003794, 1000000000000771, 23, 'host27', 'A', 60, '203.0.113.27', '\xcb00711b'),
	(1000000000000819, 23, 1000000000000609, 1000000000003810, 1000000000000771, 24, 'host28', 'A', 60, '203.0.113.28', '\xcb00711c'),
	(1000000000000819, 24, 1000000000000609, 1000000000003826, 1000000000000771, 25, 'host29', 'A', 60, '203.0.113.29', '\xcb00711d'),
	(1000000000000819, 25, 1000000000000609, 1000000000003410, 1000000000000771, 26, 'host3', 'A', 60, '203.0.113.3', '\xcb007103'),
	(1000000000000819, 26, 1000000000000609, 1000000000003842, 1000000000000771, 27, 'host30', 'A', 60, '203.0.113.30', '\xcb00711e'),
	(1000000000000819, 27, 1000000000000609, 1000000000003858, 1000000000000771, 28, 'host31', 'A', 60, '203.0.113.31', '\xcb00711f'),
	(1000000000000819, 28, 1000000000000609, 1000000000003874, 1000000000000771, 29, 'host32', 'A', 60, '203.0.113.32', '\xcb007120'),
	(1000000000000819, 29, 1000000000000609, 1000000000003890, 1000000000000771, 30, 'host33', 'A', 60, '203.0.113.33', '\xcb007121'),
	(1000000000000819, 30, 1000000000000609, 1000000000003906, 1000000000000771, 31, 'host34', 'A', 60, '203.0.113.34', '\xcb007122'),
	(1000000000000819, 31, 1000000000000609, 1000000000003922, 1000000000000771, 32, 'host35', 'A', 60, '203.0.113.35', '\xcb007123'),
	(1000000000000819, 32, 1000000000000609, 1000000000003938, 1000000000000771, 33, 'host36', 'A', 60, '203.0.113.36', '\xcb007124'),
	(1000000000000819, 33, 1000000000000609, 1000000000003954, 1000000000000771, 34, 'host37', 'A', 60, '203.0.113.37', '\xcb007125'),
	(1000000000000819, 34, 1000000000000609, 1000000000003970, 1000000000000771, 35, 'host38', 'A', 60, '203.0.113.38', '\xcb007126'),
	(1000000000000819, 35, 1000000000000609, 1000000000003986, 1000000000000771, 36, 'host39', 'A', 60, '203.0.113.39', '\xcb007127'),
	(1000000000000819, 36, 1000000000000609, 1000000000003426, 1000000000000771, 37, 'host4', 'A', 60, '203.0.113.4', '\xcb007104'),
	(1000000000000819, 37, 1000000000000609, 1000000000004002, 1000000000000771, 38, 'host40', 'A', 60, '203.0.113.40', '\xcb007128'),
	(1000000000000819, 38, 1000000000000609, 1000000000004018, 1000000000000771, 39, 'host41', 'A', 60, '203.0.113.41', '\xcb007129'),
	(1000000000000819, 39, 1000000000000609, 1000000000004034, 1000000000000771, 40, 'host42', 'A', 60, '203.0.113.42', '\xcb00712a'),
	(1000000000000819, 40, 1000000000000609, 1000000000004050, 1000000000000771, 41, 'host43', 'A', 60, '203.0.113.43', '\xcb00712b'),
	(1000000000000819, 41, 1000000000000609, 1000000000004066, 1000000000000771, 42, 'host44', 'A', 60, '203.0.113.44', '\xcb00712c'),
	(1000000000000819, 42, 1000000000000609, 1000000000004082, 1000000000000771, 43, 'host45', 'A', 60, '203.0.113.45', '\xcb00712d'),
	(1000000000000819, 43, 1000000000000609, 1000000000004098, 1000000000000771, 44, 'host46', 'A', 60, '203.0.113.46', '\xcb00712e'),
	(1000000000000819, 44, 1000000000000609, 1000000000004114, 1000000000000771, 45, 'host47', 'A', 60, '203.0.113.47', '\xcb00712f'),
	(1000000000000819, 45, 1000000000000609, 1000000000004130, 1000000000000771, 46, 'host48', 'A', 60, '203.0.113.48', '\xcb007130'),
	(1000000000000819, 46, 1000000000000609, 1000000000004146, 1000000000000771, 47, 'host49', 'A', 60, '203.0.113.49', '\xcb007131'),
	(1000000000000819, 47, 1000000000000609, 1000000000003442, 1000000000000771, 48, 'host5', 'A', 60, '203.0.113.5', '\xcb007105'),
	(1000000000000819, 48, 1000000000000609, 1000000000003458, 1000000000000771, 49, 'host6', 'A', 60, '203.0.113.6', '\xcb007106'),
	(1000000000000819, 49, 1000000000000609, 1000000000003474, 1000000000000771, 50, 'host7', 'A', 60, '203.0.113.7', '\xcb007107'),
	(1000000000000819, 50, 1000000000000609, 1000000000003490, 1000000000000771, 51, 'host8', 'A', 60, '203.0.113.8', '\xcb007108'),
	(1000000000000819, 51, 1000000000000609, 1000000000003506, 1000000000000771, 52, 'host9', 'A', 60, '203.0.113.9', '\xcb007109'),
	(1000000000000819, 52, 1000000000000609, 1000000000004162, 1000000000000787, 1, 'merged', 'A', 300, '192.0.2.3', '\xc0000203'),
	(1000000000000851, 1, 1000000000000625, 1000000000004194, 1000000000000835, 1, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10'),
	(1000000000000851, 2, 1000000000000625, 1000000000004210, 1000000000000835, 2, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400'),
	(1000000000000851, 3, 1000000000000625, 1000000000004226, 1000000000000835, 3, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400'),
	(1000000000000851, 4, 1000000000000625, 1000000000004242, 1000000000000835, 4, 'www', 'CNAME', 3600, 'again.v1-0.example.', '\x05616761696e0476312d30076578616d706c6500'),
	(1000000000000931, 1, 1000000000000042, 1000000000004322, 1000000000000883, 1, '2020ebbb-2743-4f25-a722-1ef13d4fbb6f.zones', 'PTR', 0, 'again.v1-0.example.', '\x05616761696e0476312d30076578616d706c6500');
INSERT INTO public.change_set VALUES
	(1000000000000569, 'applied', '', 1000000000000560, 'administrator (92fc2437)', 1000000000000000, 'APPLIED', 1, '2026-11-28 13:49:44.196+00', '2026-11-28 13:49:44.282+00', '2026-11-28 13:49:44.282+00', 'administrator (92fc2437)', 0, NULL, NULL, NULL, NULL, NULL, 'ALL', NULL),
	(1000000000000585, 'open', '', 1000000000000560, 'administrator (92fc2437)', 1000000000000000, 'DRAFT', 1, '2026-11-28 13:49:44.32+00', '2026-11-28 13:49:44.327+00', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, 'ALL', NULL);
INSERT INTO public.change_set_edit VALUES
	(1000000000000569, 'rest.v1-0.example', 1, 'ADD', NULL, NULL, 'set', 'A', NULL, '192.0.2.4', '\xc0000204', '\x99c052a820d9cfed1fd4e59b90988befee7d2487d0fedb22cfe9c7a68eb9e12e');
INSERT INTO public.change_set_event VALUES
	(1000000000000569, 1, 'CREATED', 1000000000000000, 'administrator (92fc2437)', 1, '', '2026-11-28 13:49:44.198+00', NULL),
	(1000000000000569, 2, 'APPLIED', 1000000000000000, 'administrator (92fc2437)', 1, '', '2026-11-28 13:49:44.282+00', NULL),
	(1000000000000585, 1, 'CREATED', 1000000000000000, 'administrator (92fc2437)', 1, '', '2026-11-28 13:49:44.32+00', NULL);
INSERT INTO public.change_set_zone VALUES
	(1000000000000569, 'rest.v1-0.example', 1000000000000577, 'EDIT', NULL, 'APPLIED', 1000000000000947, NULL, 'f87159b5cb8b2fcfd0b508c6f20ea98b97da68ab3ea90ee5bbba50a53201ec94', NULL, NULL, NULL),
	(1000000000000585, 'again.v1-0.example', 1000000000000641, 'DELETE', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.compatible_migration VALUES
	('20261125020000-instance-address', '0.2.0'),
	('20261126220000-undone-changes', '0.2.0'),
	('20261126223000-refusals-by-time', '0.2.0'),
	('20261127020000-activity', '0.2.0'),
	('20261127030000-search', '0.2.0'),
	('20261127230000-created-at-of-deleted', '0.2.0'),
	('20261128030000-catalog-members', '0.2.0'),
	('20261128050000-shared-memory', '0.2.0'),
	('20261128132000-rare-values', '0.2.0');
INSERT INTO public.deleted_domain VALUES
	(1000000000000018, 'deleted.example', 2099020203, 1000000000000000, '2026-11-22 00:30:34.015+00', '{}', NULL, NULL, '2026-11-22 00:30:33.961+00'),
	(1000000000000019, 'again.example', 2099020203, 1000000000000000, '2026-11-22 00:30:34.025+00', '{}', NULL, NULL, '2026-11-22 00:30:33.99+00'),
	(1000000000000027, 'kept.example', 2026112201, 1000000000000002, '2026-11-22 00:30:37.027+00', '{}', NULL, NULL, '2026-11-22 00:30:35.513+00'),
	(1000000000000028, 'removed.example', 2026112201, 1000000000000002, '2026-11-22 00:30:37.046+00', '{}', NULL, NULL, '2026-11-22 00:30:35.524+00'),
	(1000000000000029, 'back.example', 2026112201, 1000000000000002, '2026-11-22 00:30:37.13+00', '{}', NULL, NULL, '2026-11-22 00:30:35.535+00'),
	(1000000000000030, 'erin1.example', 2026112201, 1000000000000004, '2026-11-22 00:30:38.316+00', '{}', NULL, NULL, '2026-11-22 00:30:35.545+00'),
	(1000000000000039, 'erin10.example', 2026112201, 1000000000000004, '2026-11-22 00:30:38.318+00', '{}', NULL, NULL, '2026-11-22 00:30:35.644+00'),
	(1000000000000040, 'erin11.example', 2026112201, 1000000000000004, '2026-11-22 00:30:38.32+00', '{}', NULL, NULL, '2026-11-22 00:30:35.653+00'),
	(1000000000000041, 'erin12.example', 2026112201, 1000000000000004, '2026-11-22 00:30:38.322+00', '{}', NULL, NULL, '2026-11-22 00:30:35.661+00'),
	(1000000000000031, 'erin2.example', 2026112201, 1000000000000004, '2026-11-22 00:30:38.323+00', '{}', NULL, NULL, '2026-11-22 00:30:35.555+00'),
	(1000000000000032, 'erin3.example', 2026112201, 1000000000000004, '2026-11-22 00:30:38.324+00', '{}', NULL, NULL, '2026-11-22 00:30:35.569+00'),
	(1000000000000033, 'erin4.example', 2026112201, 1000000000000004, '2026-11-22 00:30:38.325+00', '{}', NULL, NULL, '2026-11-22 00:30:35.581+00'),
	(1000000000000034, 'erin5.example', 2026112201, 1000000000000004, '2026-11-22 00:30:38.327+00', '{}', NULL, NULL, '2026-11-22 00:30:35.593+00'),
	(1000000000000035, 'erin6.example', 2026112201, 1000000000000004, '2026-11-22 00:30:38.328+00', '{}', NULL, NULL, '2026-11-22 00:30:35.607+00'),
	(1000000000000036, 'erin7.example', 2026112201, 1000000000000004, '2026-11-22 00:30:38.329+00', '{}', NULL, NULL, '2026-11-22 00:30:35.62+00'),
	(1000000000000037, 'erin8.example', 2026112201, 1000000000000004, '2026-11-22 00:30:38.33+00', '{}', NULL, NULL, '2026-11-22 00:30:35.628+00'),
	(1000000000000038, 'erin9.example', 2026112201, 1000000000000004, '2026-11-22 00:30:38.331+00', '{}', NULL, NULL, '2026-11-22 00:30:35.636+00'),
	(1000000000000625, 'again.v1-0.example', 2026112801, 1000000000000560, '2026-11-28 13:49:44.076+00', '{}', NULL, NULL, '2026-11-28 13:49:44.065+00');
INSERT INTO public.domain VALUES
	(1000000000000011, 'data.example', 1000000000000002, 2026112202, '2026-11-22 00:30:33.463+00', 'b1cf941c-6a5f-4766-bc95-61b44b6028b1', '{}', NULL, NULL, 15, false, 'NONE'),
	(1000000000000020, 'again.example', 1000000000000001, 2099020205, '2026-11-22 00:30:34.038+00', '52c9b657-b278-42b4-b359-60dc2b8267dd', '{}', NULL, NULL, 5, false, 'NONE'),
	(1000000000000002, 'bob.example.com', 1000000000000001, 2026112201, '2026-11-22 00:30:33.017+00', '2f1543bd-e2e0-4e5f-b661-e5cefe412c7e', '{}', NULL, NULL, 4, false, 'NONE'),
	(1000000000000023, 'refused.example', 1000000000000002, 2026112201, '2026-11-22 00:30:35.437+00', '3309cb4f-0413-4d41-8053-fd8c78b17b39', '{}', NULL, NULL, 4, false, 'NONE'),
	(1000000000000008, 'xn--bcher-kva.example', 1000000000000001, 2026112202, '2026-11-22 00:30:33.379+00', 'e8615635-9d3d-46cd-bf36-62b8657fcee2', '{}', NULL, NULL, 8, false, 'NONE'),
	(1000000000000015, 'serial-end.example', 1000000000000001, 4294967295, '2026-11-22 00:30:33.823+00', '88ebf6ee-5e8f-4852-b358-b3d0b9ca942a', '{}', NULL, NULL, 4, false, 'NONE'),
	(1000000000000006, 'types.example', 1000000000000000, 2026112202, '2026-11-22 00:30:33.087+00', '330d201a-2782-417d-a68a-1b8ce198460e', '{}', NULL, NULL, 71, false, 'NONE'),
	(1000000000000003, '2.0.192.in-addr.arpa', 1000000000000000, 2026112202, '2026-11-22 00:30:33.027+00', '88794460-ed3a-4bd9-bb3e-15fb77215aaf', '{}', NULL, NULL, 5, false, 'NONE'),
	(1000000000000004, '8.b.d.0.1.0.0.2.ip6.arpa', 1000000000000001, 2026112202, '2026-11-22 00:30:33.048+00', '559005c9-7e73-4f73-8eda-00b85695c62c', '{}', NULL, NULL, 5, false, 'NONE'),
	(1000000000000014, 'serial-set.example', 1000000000000001, 2099010150, '2026-11-22 00:30:33.795+00', '978cae11-fa7a-4301-8fe6-7982705fb6d8', '{}', NULL, NULL, 4, false, 'NONE'),
	(1000000000000024, 'late.example', 1000000000000002, 2026112201, '2026-11-22 00:30:35.463+00', '75c6f07f-5b59-4a2c-91ac-09a570aeb373', '{}', NULL, NULL, 4, false, 'NONE'),
	(1000000000000021, 'orphan.example', 1000000000000002, 2026112202, '2026-11-22 00:30:34.06+00', '2b85e2dd-1057-4bc3-92b7-0c5143ea5acc', '{}', NULL, NULL, 5, false, 'NONE'),
	(1000000000000007, 'vectors.example', 1000000000000001, 2026112201, '2026-11-22 00:30:33.152+00', '90fcf7ea-4414-44cd-ab09-2d4bb7aed00f', '{}', NULL, NULL, 68, false, 'NONE'),
	(1000000000000012, 'many.example', 1000000000000002, 2026112202, '2026-11-22 00:30:33.492+00', '70baec39-6b11-4523-a7e6-839a7b18b8e2', '{}', NULL, NULL, 104, false, 'NONE'),
	(1000000000000016, 'serial-around.example', 1000000000000001, 2026112201, '2026-11-22 00:30:33.863+00', '7b6c20ba-3a9f-49ec-b96f-180ca02cf7ce', '{}', NULL, NULL, 5, false, 'NONE'),
	(1000000000000009, 'names.example', 1000000000000002, 2026112202, '2026-11-22 00:30:33.407+00', '9314370e-fef5-483e-9af7-782e0ba4f2ad', '{}', NULL, NULL, 17, false, 'NONE'),
	(1000000000000000, 'example.com', 1000000000000000, 2026112212, '2026-11-22 00:30:32.833+00', 'fc3620b3-c325-4e1b-8e19-0990dd1b0e65', '{}', NULL, NULL, 14, false, 'NONE'),
	(1000000000000043, 'back.example', 1000000000000001, 2026112202, '2026-11-22 00:30:37.147+00', 'cb75c44f-ff19-4aae-b9ea-46a2a3e17fab', '{}', NULL, NULL, 4, false, 'NONE'),
	(1000000000000005, 'transferred.example', 1000000000000002, 2026112202, '2026-11-22 00:30:33.066+00', '1ee2e7d6-7cbc-4d25-b7f4-971c1026d450', '{}', NULL, NULL, 5, false, 'NONE'),
	(1000000000000010, '0/25.2.0.192.in-addr.arpa', 1000000000000002, 2026112202, '2026-11-22 00:30:33.429+00', '0f8b07aa-c38f-468a-a410-482cf8cd4710', '{}', NULL, NULL, 5, false, 'NONE'),
	(1000000000000026, 'resynced.example', 1000000000000002, 2026117202, '2026-11-22 00:30:35.496+00', 'f13c38d0-ef0e-4bae-8885-1ff3f780ac8a', '{}', NULL, NULL, 4, false, 'NONE'),
	(1000000000000001, 'sub.example.com', 1000000000000000, 2026112202, '2026-11-22 00:30:32.998+00', 'e1f1323c-7da8-448f-8744-7bb0468a05d9', '{}', NULL, NULL, 5, false, 'NONE'),
	(1000000000000013, 'imported.example', 1000000000000002, 2098010108, '2026-11-22 00:30:33.516+00', 'b57d01d2-ba0c-4bd2-af13-6203e118b489', '{}', NULL, NULL, 34, false, 'NONE'),
	(1000000000000017, 'serial-wrapped.example', 1000000000000001, 5, '2026-11-22 00:30:33.903+00', '87bd96d7-c1a2-4620-8677-935274a40aa5', '{}', NULL, NULL, 4, false, 'NONE'),
	(1000000000000025, 'ahead.example', 1000000000000002, 2026113202, '2026-11-22 00:30:35.48+00', '14424f56-9e81-44a2-b6aa-0274b6f330f1', '{}', NULL, NULL, 4, false, 'NONE'),
	(1000000000000609, 'imported.v1-0.example', 1000000000000560, 2026112803, '2026-11-28 13:49:43.901+00', '4d399f1a-9eb8-4340-82d1-0797e979e5f5', '{}', NULL, NULL, 3, false, 'NONE'),
	(1000000000000593, 'graphql.v1-0.example', 1000000000000560, 2026112803, '2026-11-28 13:49:43.818+00', '2d77326d-72df-4ef5-9145-98334da45aac', '{}', NULL, NULL, 72, false, 'NONE'),
	(1000000000000641, 'again.v1-0.example', 1000000000000560, 2026112802, '2026-11-28 13:49:44.085+00', '3a84b6be-5886-480d-aab0-ab6748e4872f', '{}', NULL, NULL, 4, false, 'NONE'),
	(1000000000000022, 'updates.example', 1000000000000001, 2026112801, '2026-11-22 00:30:34.097+00', '32c2f49c-9ffb-4a61-b5ff-b48d0194faef', '{}', NULL, NULL, 10, false, 'NONE'),
	(1000000000000042, 'catalog.zonesmith', NULL, 2026112805, '2026-11-22 00:30:36.733+00', 'ac826680-47e7-4c68-bdda-383755b09a4b', '{}', NULL, NULL, 45, false, 'NONE'),
	(1000000000000577, 'rest.v1-0.example', 1000000000000560, 2026112809, '2026-11-28 13:49:43.633+00', '2eeae9e0-1db1-4558-821a-ce76c6b3d7a9', '{"env": "prod"}', NULL, NULL, 8, false, 'NONE');
INSERT INTO public.id_origin VALUES
	(1, 1000000000000560);
INSERT INTO public.mikro_orm_migrations VALUES
	(1, '20261121000000-first-tables', '2026-11-22 00:30:32.348893+00'),
	(2, '20261121120000-publication', '2026-11-22 00:30:32.348893+00'),
	(3, '20261121180000-names-below', '2026-11-22 00:30:32.348893+00'),
	(4, '20261121190000-catalog', '2026-11-22 00:30:32.348893+00'),
	(5, '20261121200000-update-refusals', '2026-11-22 00:30:32.348893+00'),
	(6, '20261122000000-zone-record', '2026-11-28 13:49:42.406635+00'),
	(7, '20261122020000-deleted-names-below', '2026-11-28 13:49:42.406635+00'),
	(8, '20261122120000-transferred-zone', '2026-11-28 13:49:42.406635+00'),
	(9, '20261122130000-proven-serial', '2026-11-28 13:49:42.406635+00'),
	(10, '20261122150000-typed-ids', '2026-11-28 13:49:42.406635+00'),
	(11, '20261122160000-key-zones', '2026-11-28 13:49:42.406635+00'),
	(12, '20261122200000-key-last-used', '2026-11-28 13:49:42.406635+00'),
	(13, '20261122230000-versions', '2026-11-28 13:49:42.406635+00'),
	(14, '20261122233000-change-note', '2026-11-28 13:49:42.406635+00'),
	(15, '20261122234000-sign-in', '2026-11-28 13:49:42.406635+00'),
	(16, '20261123000000-going-back', '2026-11-28 13:49:42.406635+00'),
	(17, '20261123020000-change-sets', '2026-11-28 13:49:42.406635+00'),
	(18, '20261123030000-rrset-note', '2026-11-28 13:49:42.406635+00'),
	(19, '20261123040000-labels', '2026-11-28 13:49:42.406635+00'),
	(20, '20261123050000-zone-template', '2026-11-28 13:49:42.406635+00'),
	(21, '20261123060000-review', '2026-11-28 13:49:42.406635+00'),
	(22, '20261123071000-demanded-review', '2026-11-28 13:49:42.406635+00'),
	(23, '20261123081000-schedule', '2026-11-28 13:49:42.406635+00'),
	(24, '20261123093000-each-zone', '2026-11-28 13:49:42.406635+00'),
	(25, '20261123140000-staged-templates', '2026-11-28 13:49:42.406635+00'),
	(26, '20261123070500-mass-changes', '2026-11-28 13:49:42.406635+00'),
	(27, '20261123170000-kept-refusals', '2026-11-28 13:49:42.406635+00'),
	(28, '20261123190000-instance', '2026-11-28 13:49:42.406635+00'),
	(29, '20261123195000-query-zone', '2026-11-28 13:49:42.406635+00'),
	(30, '20261123200000-webhooks', '2026-11-28 13:49:42.406635+00'),
	(31, '20261123210000-quotas', '2026-11-28 13:49:42.406635+00'),
	(32, '20261123220000-audit', '2026-11-28 13:49:42.406635+00'),
	(33, '20261123230000-last-transfers', '2026-11-28 13:49:42.406635+00'),
	(34, '20261124030000-ended-change-sets', '2026-11-28 13:49:42.406635+00'),
	(35, '20261124040000-demanded-review', '2026-11-28 13:49:42.406635+00'),
	(36, '20261124041000-applied-by', '2026-11-28 13:49:42.406635+00'),
	(37, '20261124060000-compatible-migration', '2026-11-28 13:49:42.406635+00'),
	(38, '20261124080000-joining-secondary', '2026-11-28 13:49:42.406635+00'),
	(39, '20261125020000-instance-address', '2026-11-28 13:49:42.406635+00'),
	(40, '20261125030000-transfer-order', '2026-11-28 13:49:42.406635+00'),
	(41, '20261125170000-soa-serial', '2026-11-28 13:49:42.406635+00'),
	(42, '20261126050000-change-set-columns', '2026-11-28 13:49:42.406635+00'),
	(43, '20261126220000-undone-changes', '2026-11-28 13:49:42.406635+00'),
	(44, '20261126223000-refusals-by-time', '2026-11-28 13:49:42.406635+00'),
	(45, '20261127020000-activity', '2026-11-28 13:49:42.406635+00'),
	(46, '20261127030000-search', '2026-11-28 13:49:42.406635+00'),
	(47, '20261127230000-created-at-of-deleted', '2026-11-28 13:49:42.406635+00'),
	(48, '20261128030000-catalog-members', '2026-11-28 13:49:42.406635+00'),
	(49, '20261128050000-shared-memory', '2026-11-28 13:49:42.406635+00'),
	(50, '20261128132000-rare-values', '2026-11-28 13:49:42.406635+00');
INSERT INTO public.publisher_term VALUES
	(1, 3, 0);
INSERT INTO public.rrset_note VALUES
	(1000000000000577, 'b', 'A', 'a note', 'administrator (92fc2437)', '2026-11-28 13:49:44.346+00');
INSERT INTO public.secondary VALUES
	(1000000000000002, 'nsd1 in Ulm', '127.0.7.3', 5303, NULL, false, false, true, '2026-11-22 00:30:35.71+00', NULL, NULL, '2026-11-28 13:49:44.435+00', 'REFUSED', NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 0, 'ahead.example', '2026-11-22 00:30:35.71+00'),
	(1000000000000000, 'knot1', '127.0.7.1', 5301, 1000000000000008, true, true, false, '2026-11-22 00:30:35.7+00', '2026-11-28 13:49:44.368+00', 'NOERROR', '2026-11-28 13:49:44.435+00', 'REFUSED', '2026-11-22 00:30:38.414+00', 'types.example', 'AXFR', 2875, 2, '2026-11-22 00:30:38.407+00', 'the signature does not match: the secrets differ', false, 3, 'rest.v1-0.example', '2026-11-22 00:30:35.7+00'),
	(1000000000000001, 'bind1', '127.0.7.2', 5302, 1000000000000007, true, false, false, '2026-11-22 00:30:35.707+00', '2026-11-28 13:49:44.369+00', 'NOERROR', '2026-11-28 13:49:44.435+00', 'REFUSED', '2026-11-22 00:30:38.439+00', 'catalog.zonesmith', 'AXFR', 2534, 3, NULL, NULL, false, 0, 'rest.v1-0.example', '2026-11-22 00:30:35.707+00');
INSERT INTO public.sighting VALUES
	(1000000000000000, 1000000000000023, 'refused.example', NULL, true, '2026-11-28 13:49:43.499+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000015, 'serial-end.example', NULL, true, '2026-11-28 13:49:43.553+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000020, 'again.example', NULL, true, '2026-11-28 13:49:43.553+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000000, 1000000000000010, '0/25.2.0.192.in-addr.arpa', 2026112202, false, '2026-11-28 13:49:43.53+00', NULL, 3, '2026-11-22 00:30:36.81+00', 2026112202, false, NULL),
	(1000000000000002, 1000000000000002, 'bob.example.com', NULL, true, '2026-11-28 13:49:43.552+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000004, '8.b.d.0.1.0.0.2.ip6.arpa', NULL, true, '2026-11-28 13:49:43.552+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000005, 'transferred.example', NULL, true, '2026-11-28 13:49:43.552+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000007, 'vectors.example', NULL, true, '2026-11-28 13:49:43.552+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000008, 'xn--bcher-kva.example', NULL, true, '2026-11-28 13:49:43.552+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000009, 'names.example', NULL, true, '2026-11-28 13:49:43.552+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000010, '0/25.2.0.192.in-addr.arpa', NULL, true, '2026-11-28 13:49:43.552+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000011, 'data.example', NULL, true, '2026-11-28 13:49:43.552+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000012, 'many.example', NULL, true, '2026-11-28 13:49:43.553+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000013, 'imported.example', NULL, true, '2026-11-28 13:49:43.553+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000014, 'serial-set.example', NULL, true, '2026-11-28 13:49:43.553+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000016, 'serial-around.example', NULL, true, '2026-11-28 13:49:43.553+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000017, 'serial-wrapped.example', NULL, true, '2026-11-28 13:49:43.553+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000021, 'orphan.example', NULL, true, '2026-11-28 13:49:43.553+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000022, 'updates.example', NULL, true, '2026-11-28 13:49:43.553+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000023, 'refused.example', NULL, true, '2026-11-28 13:49:43.553+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000024, 'late.example', NULL, true, '2026-11-28 13:49:43.553+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000025, 'ahead.example', NULL, true, '2026-11-28 13:49:43.553+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000026, 'resynced.example', NULL, true, '2026-11-28 13:49:43.553+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000043, 'back.example', NULL, true, '2026-11-28 13:49:43.553+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000000, 1000000000000015, 'serial-end.example', 4294967295, false, '2026-11-28 13:49:43.569+00', NULL, 3, '2026-11-22 00:30:36.81+00', 4294967295, false, NULL),
	(1000000000000000, 1000000000000016, 'serial-around.example', 2026112201, false, '2026-11-28 13:49:43.569+00', NULL, 3, '2026-11-22 00:30:36.81+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000017, 'serial-wrapped.example', 5, false, '2026-11-28 13:49:43.569+00', NULL, 3, '2026-11-22 00:30:36.81+00', 5, false, NULL),
	(1000000000000001, 1000000000000027, 'kept.example', 2026112201, false, '2026-11-22 00:30:37.091+00', NULL, 2, '2026-11-22 00:30:36.823+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000027, 'kept.example', 2026112201, false, '2026-11-22 00:30:37.086+00', NULL, 2, '2026-11-22 00:30:36.809+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000038, 'erin9.example', 2026112201, false, '2026-11-22 00:30:38.39+00', NULL, 2, '2026-11-22 00:30:36.805+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000036, 'erin7.example', 2026112201, false, '2026-11-22 00:30:38.389+00', NULL, 2, '2026-11-22 00:30:36.81+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000040, 'erin11.example', 2026112201, false, '2026-11-22 00:30:38.385+00', NULL, 2, '2026-11-22 00:30:36.836+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000037, 'erin8.example', 2026112201, false, '2026-11-22 00:30:38.394+00', NULL, 2, '2026-11-22 00:30:36.836+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000022, 'updates.example', 2026112207, false, '2026-11-28 13:49:43.489+00', NULL, 3, '2026-11-22 00:30:37.027+00', 2026112207, false, NULL),
	(1000000000000001, 1000000000000001, 'sub.example.com', 2026112202, false, '2026-11-28 13:49:43.492+00', NULL, 3, '2026-11-22 00:30:36.837+00', 2026112202, false, NULL),
	(1000000000000001, 1000000000000002, 'bob.example.com', 2026112201, false, '2026-11-28 13:49:43.492+00', NULL, 3, '2026-11-22 00:30:36.836+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000006, 'types.example', 2026112202, false, '2026-11-28 13:49:43.506+00', NULL, 3, '2026-11-22 00:30:36.824+00', 2026112202, false, NULL),
	(1000000000000001, 1000000000000007, 'vectors.example', 2026112201, false, '2026-11-28 13:49:43.507+00', NULL, 3, '2026-11-22 00:30:36.819+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000008, 'xn--bcher-kva.example', 2026112202, false, '2026-11-28 13:49:43.507+00', NULL, 3, '2026-11-22 00:30:36.824+00', 2026112202, false, NULL),
	(1000000000000001, 1000000000000009, 'names.example', 2026112202, false, '2026-11-28 13:49:43.507+00', NULL, 3, '2026-11-22 00:30:36.823+00', 2026112202, false, NULL),
	(1000000000000001, 1000000000000010, '0/25.2.0.192.in-addr.arpa', 2026112202, false, '2026-11-28 13:49:43.509+00', NULL, 3, '2026-11-22 00:30:36.835+00', 2026112202, false, NULL),
	(1000000000000000, 1000000000000004, '8.b.d.0.1.0.0.2.ip6.arpa', 2026112202, false, '2026-11-28 13:49:43.53+00', NULL, 3, '2026-11-22 00:30:36.802+00', 2026112202, false, NULL),
	(1000000000000000, 1000000000000005, 'transferred.example', 2026112202, false, '2026-11-28 13:49:43.53+00', NULL, 3, '2026-11-22 00:30:36.836+00', 2026112202, false, NULL),
	(1000000000000000, 1000000000000006, 'types.example', 2026112202, false, '2026-11-28 13:49:43.53+00', NULL, 3, '2026-11-22 00:30:36.803+00', 2026112202, false, NULL),
	(1000000000000000, 1000000000000007, 'vectors.example', 2026112201, false, '2026-11-28 13:49:43.53+00', NULL, 3, '2026-11-22 00:30:36.808+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000008, 'xn--bcher-kva.example', 2026112202, false, '2026-11-28 13:49:43.53+00', NULL, 3, '2026-11-22 00:30:36.836+00', 2026112202, false, NULL),
	(1000000000000000, 1000000000000009, 'names.example', 2026112202, false, '2026-11-28 13:49:43.53+00', NULL, 3, '2026-11-22 00:30:36.836+00', 2026112202, false, NULL),
	(1000000000000000, 1000000000000011, 'data.example', 2026112202, false, '2026-11-28 13:49:43.53+00', NULL, 3, '2026-11-22 00:30:36.806+00', 2026112202, false, NULL),
	(1000000000000000, 1000000000000012, 'many.example', 2026112202, false, '2026-11-28 13:49:43.53+00', NULL, 3, '2026-11-22 00:30:36.808+00', 2026112202, false, NULL),
	(1000000000000000, 1000000000000013, 'imported.example', 2098010108, false, '2026-11-28 13:49:43.53+00', NULL, 3, '2026-11-22 00:30:36.809+00', 2098010108, false, NULL),
	(1000000000000000, 1000000000000014, 'serial-set.example', 2099010150, false, '2026-11-28 13:49:43.569+00', NULL, 3, '2026-11-22 00:30:36.802+00', 2099010150, false, NULL),
	(1000000000000000, 1000000000000020, 'again.example', 2099020205, false, '2026-11-28 13:49:43.569+00', NULL, 3, '2026-11-22 00:30:36.805+00', 2099020205, false, NULL),
	(1000000000000000, 1000000000000021, 'orphan.example', 2026112202, false, '2026-11-28 13:49:43.569+00', NULL, 3, '2026-11-22 00:30:36.809+00', 2026112202, false, NULL),
	(1000000000000000, 1000000000000026, 'resynced.example', 2026117202, false, '2026-11-28 13:49:43.569+00', NULL, 3, '2026-11-22 00:30:37+00', 2026117202, false, NULL),
	(1000000000000000, 1000000000000043, 'back.example', 2026112202, false, '2026-11-28 13:49:43.569+00', NULL, 3, '2026-11-22 00:30:37.213+00', 2026112202, false, NULL),
	(1000000000000002, 1000000000000000, 'example.com', 2026112212, false, '2026-11-28 13:49:43.573+00', NULL, 3, '2026-11-22 00:30:36.838+00', 2026112212, false, NULL),
	(1000000000000002, 1000000000000001, 'sub.example.com', 2026112202, false, '2026-11-28 13:49:43.573+00', NULL, 3, '2026-11-22 00:30:36.848+00', 2026112202, false, NULL),
	(1000000000000002, 1000000000000003, '2.0.192.in-addr.arpa', 2026112202, false, '2026-11-28 13:49:43.573+00', NULL, 3, '2026-11-22 00:30:36.849+00', 2026112202, false, NULL),
	(1000000000000002, 1000000000000006, 'types.example', 2026112202, false, '2026-11-28 13:49:43.573+00', NULL, 3, '2026-11-22 00:30:36.849+00', 2026112202, false, NULL),
	(1000000000000000, 1000000000000042, 'catalog.zonesmith', 2026112204, false, '2026-11-28 13:49:43.786+00', NULL, 3, '2026-11-22 00:30:37.285+00', 2026112204, false, NULL),
	(1000000000000000, 1000000000000022, 'updates.example', 2026112208, false, '2026-11-28 13:49:44.24+00', NULL, 3, '2026-11-22 00:30:37.316+00', 2026112208, false, NULL),
	(1000000000000001, 1000000000000036, 'erin7.example', 2026112201, false, '2026-11-22 00:30:36.837+00', NULL, 2, '2026-11-22 00:30:36.837+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000034, 'erin5.example', 2026112201, false, '2026-11-22 00:30:36.837+00', NULL, 2, '2026-11-22 00:30:36.837+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000033, 'erin4.example', 2026112201, false, '2026-11-22 00:30:36.837+00', NULL, 2, '2026-11-22 00:30:36.837+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000038, 'erin9.example', 2026112201, false, '2026-11-22 00:30:36.82+00', NULL, 2, '2026-11-22 00:30:36.82+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000037, 'erin8.example', 2026112201, false, '2026-11-22 00:30:36.82+00', NULL, 2, '2026-11-22 00:30:36.82+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000035, 'erin6.example', 2026112201, false, '2026-11-22 00:30:36.82+00', NULL, 2, '2026-11-22 00:30:36.82+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000032, 'erin3.example', 2026112201, false, '2026-11-22 00:30:36.82+00', NULL, 2, '2026-11-22 00:30:36.82+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000031, 'erin2.example', 2026112201, false, '2026-11-22 00:30:36.825+00', NULL, 2, '2026-11-22 00:30:36.825+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000041, 'erin12.example', 2026112201, false, '2026-11-22 00:30:36.824+00', NULL, 2, '2026-11-22 00:30:36.824+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000040, 'erin11.example', 2026112201, false, '2026-11-22 00:30:36.82+00', NULL, 2, '2026-11-22 00:30:36.82+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000039, 'erin10.example', 2026112201, false, '2026-11-22 00:30:36.824+00', NULL, 2, '2026-11-22 00:30:36.824+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000030, 'erin1.example', 2026112201, false, '2026-11-22 00:30:36.82+00', NULL, 2, '2026-11-22 00:30:36.82+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000033, 'erin4.example', 2026112201, false, '2026-11-22 00:30:38.38+00', NULL, 2, '2026-11-22 00:30:36.805+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000034, 'erin5.example', 2026112201, false, '2026-11-22 00:30:38.384+00', NULL, 2, '2026-11-22 00:30:36.803+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000031, 'erin2.example', 2026112201, false, '2026-11-22 00:30:38.384+00', NULL, 2, '2026-11-22 00:30:36.809+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000035, 'erin6.example', 2026112201, false, '2026-11-22 00:30:38.385+00', NULL, 2, '2026-11-22 00:30:36.819+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000039, 'erin10.example', 2026112201, false, '2026-11-22 00:30:38.385+00', NULL, 2, '2026-11-22 00:30:36.809+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000032, 'erin3.example', 2026112201, false, '2026-11-22 00:30:38.387+00', NULL, 2, '2026-11-22 00:30:36.819+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000030, 'erin1.example', 2026112201, false, '2026-11-22 00:30:38.388+00', NULL, 2, '2026-11-22 00:30:36.809+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000041, 'erin12.example', 2026112201, false, '2026-11-22 00:30:38.398+00', NULL, 2, '2026-11-22 00:30:36.81+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000000, 'example.com', 2026112212, false, '2026-11-28 13:49:43.489+00', NULL, 3, '2026-11-22 00:30:36.824+00', 2026112212, false, NULL),
	(1000000000000001, 1000000000000003, '2.0.192.in-addr.arpa', 2026112202, false, '2026-11-28 13:49:43.492+00', NULL, 3, '2026-11-22 00:30:36.824+00', 2026112202, false, NULL),
	(1000000000000001, 1000000000000004, '8.b.d.0.1.0.0.2.ip6.arpa', 2026112202, false, '2026-11-28 13:49:43.492+00', NULL, 3, '2026-11-22 00:30:36.819+00', 2026112202, false, NULL),
	(1000000000000001, 1000000000000005, 'transferred.example', 2026112202, false, '2026-11-28 13:49:43.492+00', NULL, 3, '2026-11-22 00:30:36.837+00', 2026112202, false, NULL),
	(1000000000000001, 1000000000000011, 'data.example', 2026112202, false, '2026-11-28 13:49:43.509+00', NULL, 3, '2026-11-22 00:30:36.823+00', 2026112202, false, NULL),
	(1000000000000001, 1000000000000012, 'many.example', 2026112202, false, '2026-11-28 13:49:43.509+00', NULL, 3, '2026-11-22 00:30:36.824+00', 2026112202, false, NULL),
	(1000000000000001, 1000000000000013, 'imported.example', 2098010108, false, '2026-11-28 13:49:43.509+00', NULL, 3, '2026-11-22 00:30:36.824+00', 2098010108, false, NULL),
	(1000000000000001, 1000000000000014, 'serial-set.example', 2099010150, false, '2026-11-28 13:49:43.509+00', NULL, 3, '2026-11-22 00:30:36.824+00', 2099010150, false, NULL),
	(1000000000000001, 1000000000000015, 'serial-end.example', 4294967295, false, '2026-11-28 13:49:43.509+00', NULL, 3, '2026-11-22 00:30:36.825+00', 4294967295, false, NULL),
	(1000000000000001, 1000000000000016, 'serial-around.example', 2026112201, false, '2026-11-28 13:49:43.509+00', NULL, 3, '2026-11-22 00:30:36.82+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000017, 'serial-wrapped.example', 5, false, '2026-11-28 13:49:43.509+00', NULL, 3, '2026-11-22 00:30:36.837+00', 5, false, NULL),
	(1000000000000001, 1000000000000020, 'again.example', 2099020205, false, '2026-11-28 13:49:43.509+00', NULL, 3, '2026-11-22 00:30:36.837+00', 2099020205, false, NULL),
	(1000000000000001, 1000000000000021, 'orphan.example', 2026112202, false, '2026-11-28 13:49:43.509+00', NULL, 3, '2026-11-22 00:30:36.825+00', 2026112202, false, NULL),
	(1000000000000001, 1000000000000023, 'refused.example', 2026112201, false, '2026-11-28 13:49:43.509+00', NULL, 3, '2026-11-22 00:30:36.824+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000024, 'late.example', 2026112201, false, '2026-11-28 13:49:43.509+00', NULL, 3, '2026-11-22 00:30:36.837+00', 2026112201, false, NULL),
	(1000000000000001, 1000000000000026, 'resynced.example', 2026117202, false, '2026-11-28 13:49:43.509+00', NULL, 3, '2026-11-22 00:30:37.002+00', 2026117202, false, NULL),
	(1000000000000001, 1000000000000043, 'back.example', 2026112202, false, '2026-11-28 13:49:43.509+00', NULL, 3, '2026-11-22 00:30:37.204+00', 2026112202, false, NULL),
	(1000000000000000, 1000000000000024, 'late.example', 2026112200, false, '2026-11-28 13:49:43.509+00', NULL, 3, '2026-11-22 00:30:36.809+00', 2026112200, false, NULL),
	(1000000000000000, 1000000000000000, 'example.com', 2026112212, false, '2026-11-28 13:49:43.51+00', NULL, 3, '2026-11-22 00:30:36.802+00', 2026112212, false, NULL);
INSERT INTO public.sighting VALUES
	(1000000000000000, 1000000000000001, 'sub.example.com', 2026112202, false, '2026-11-28 13:49:43.51+00', NULL, 3, '2026-11-22 00:30:36.802+00', 2026112202, false, NULL),
	(1000000000000000, 1000000000000002, 'bob.example.com', 2026112201, false, '2026-11-28 13:49:43.51+00', NULL, 3, '2026-11-22 00:30:36.819+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000003, '2.0.192.in-addr.arpa', 2026112202, false, '2026-11-28 13:49:43.51+00', NULL, 3, '2026-11-22 00:30:36.808+00', 2026112202, false, NULL),
	(1000000000000001, 1000000000000042, 'catalog.zonesmith', 2026112203, false, '2026-11-28 13:49:43.573+00', NULL, 3, '2026-11-22 00:30:37.225+00', 2026112203, false, NULL),
	(1000000000000001, 1000000000000025, 'ahead.example', 2026112201, false, '2026-11-28 13:49:43.685+00', NULL, 3, '2026-11-22 00:30:36.823+00', 2026112201, false, NULL),
	(1000000000000000, 1000000000000025, 'ahead.example', 2026113201, false, '2026-11-28 13:49:43.685+00', 'It serves serial 2026113201, which was not transferred to it from here; it gets the whole zone.', 3, '2026-11-22 00:30:36.853+00', NULL, true, NULL),
	(1000000000000002, 1000000000000577, 'rest.v1-0.example', NULL, true, '2026-11-28 13:49:43.713+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000001, 1000000000000577, 'rest.v1-0.example', NULL, true, '2026-11-28 13:49:43.713+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000000, 1000000000000577, 'rest.v1-0.example', NULL, true, '2026-11-28 13:49:43.713+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000000, 1000000000000593, 'graphql.v1-0.example', NULL, true, '2026-11-28 13:49:43.894+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000001, 1000000000000593, 'graphql.v1-0.example', NULL, true, '2026-11-28 13:49:43.894+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000593, 'graphql.v1-0.example', NULL, true, '2026-11-28 13:49:43.894+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000609, 'imported.v1-0.example', NULL, true, '2026-11-28 13:49:44.016+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000001, 1000000000000609, 'imported.v1-0.example', NULL, true, '2026-11-28 13:49:44.016+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000000, 1000000000000609, 'imported.v1-0.example', NULL, true, '2026-11-28 13:49:44.016+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000000, 1000000000000625, 'again.v1-0.example', NULL, true, '2026-11-28 13:49:44.129+00', NULL, 3, NULL, NULL, false, NULL),
	(1000000000000001, 1000000000000625, 'again.v1-0.example', NULL, true, '2026-11-28 13:49:44.129+00', NULL, 3, NULL, NULL, false, NULL),
	(1000000000000002, 1000000000000641, 'again.v1-0.example', NULL, true, '2026-11-28 13:49:44.153+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000000, 1000000000000641, 'again.v1-0.example', NULL, true, '2026-11-28 13:49:44.153+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL),
	(1000000000000001, 1000000000000641, 'again.v1-0.example', NULL, true, '2026-11-28 13:49:44.153+00', 'It does not have the zone (REFUSED).', 3, NULL, NULL, false, NULL);
INSERT INTO public.signed_update VALUES
	('key.v1-0.example B7/XS23ytqAKLU6HmVzULGOzZiopiO/i2W/VcbS8v+s=', 0, '2026-11-28 13:59:44+00'),
	('all.bob qA/ba4ysc50oa3Xn4xazqSE1I75n2seZn4H/ni+AcDA=', 0, '2026-11-28 13:59:44+00');
INSERT INTO public.transferred_zone VALUES
	(1000000000000016, 1000000000000000, 2026112201, NULL, false, '2026-11-22 00:30:36.81+00', NULL),
	(1000000000000010, 1000000000000000, 2026112202, NULL, false, '2026-11-22 00:30:36.81+00', NULL),
	(1000000000000017, 1000000000000000, 5, NULL, false, '2026-11-22 00:30:36.81+00', NULL),
	(1000000000000015, 1000000000000000, 4294967295, NULL, false, '2026-11-22 00:30:36.81+00', NULL),
	(1000000000000021, 1000000000000000, 2026112202, NULL, false, '2026-11-22 00:30:36.809+00', NULL),
	(1000000000000013, 1000000000000000, 2098010108, NULL, false, '2026-11-22 00:30:36.809+00', NULL),
	(1000000000000024, 1000000000000000, 2026112200, NULL, false, '2026-11-22 00:30:36.809+00', NULL),
	(1000000000000003, 1000000000000000, 2026112202, NULL, false, '2026-11-22 00:30:36.808+00', NULL),
	(1000000000000012, 1000000000000000, 2026112202, NULL, false, '2026-11-22 00:30:36.808+00', NULL),
	(1000000000000007, 1000000000000000, 2026112201, NULL, false, '2026-11-22 00:30:36.808+00', NULL),
	(1000000000000011, 1000000000000000, 2026112202, NULL, false, '2026-11-22 00:30:36.806+00', NULL),
	(1000000000000020, 1000000000000000, 2099020205, NULL, false, '2026-11-22 00:30:36.805+00', NULL),
	(1000000000000006, 1000000000000000, 2026112202, NULL, false, '2026-11-22 00:30:36.803+00', NULL),
	(1000000000000004, 1000000000000000, 2026112202, NULL, false, '2026-11-22 00:30:36.802+00', NULL),
	(1000000000000014, 1000000000000000, 2099010150, NULL, false, '2026-11-22 00:30:36.802+00', NULL),
	(1000000000000000, 1000000000000000, 2026112212, NULL, false, '2026-11-22 00:30:36.802+00', NULL),
	(1000000000000001, 1000000000000000, 2026112202, NULL, false, '2026-11-22 00:30:36.802+00', NULL),
	(1000000000000015, 1000000000000001, 4294967295, NULL, false, '2026-11-22 00:30:36.825+00', NULL),
	(1000000000000021, 1000000000000001, 2026112202, NULL, false, '2026-11-22 00:30:36.825+00', NULL),
	(1000000000000008, 1000000000000001, 2026112202, NULL, false, '2026-11-22 00:30:36.824+00', NULL),
	(1000000000000023, 1000000000000001, 2026112201, NULL, false, '2026-11-22 00:30:36.824+00', NULL),
	(1000000000000000, 1000000000000001, 2026112212, NULL, false, '2026-11-22 00:30:36.824+00', NULL),
	(1000000000000014, 1000000000000001, 2099010150, NULL, false, '2026-11-22 00:30:36.824+00', NULL),
	(1000000000000013, 1000000000000001, 2098010108, NULL, false, '2026-11-22 00:30:36.824+00', NULL),
	(1000000000000006, 1000000000000001, 2026112202, NULL, false, '2026-11-22 00:30:36.824+00', NULL),
	(1000000000000003, 1000000000000001, 2026112202, NULL, false, '2026-11-22 00:30:36.824+00', NULL),
	(1000000000000012, 1000000000000001, 2026112202, NULL, false, '2026-11-22 00:30:36.824+00', NULL),
	(1000000000000009, 1000000000000001, 2026112202, NULL, false, '2026-11-22 00:30:36.823+00', NULL),
	(1000000000000011, 1000000000000001, 2026112202, NULL, false, '2026-11-22 00:30:36.823+00', NULL),
	(1000000000000025, 1000000000000001, 2026112201, NULL, false, '2026-11-22 00:30:36.823+00', NULL),
	(1000000000000016, 1000000000000001, 2026112201, NULL, false, '2026-11-22 00:30:36.82+00', NULL),
	(1000000000000007, 1000000000000001, 2026112201, NULL, false, '2026-11-22 00:30:36.819+00', NULL),
	(1000000000000004, 1000000000000001, 2026112202, NULL, false, '2026-11-22 00:30:36.819+00', NULL),
	(1000000000000002, 1000000000000000, 2026112201, NULL, false, '2026-11-22 00:30:36.819+00', NULL),
	(1000000000000026, 1000000000000001, 2026117202, NULL, false, '2026-11-22 00:30:37.002+00', NULL),
	(1000000000000022, 1000000000000001, 2026112207, NULL, false, '2026-11-22 00:30:37.027+00', NULL),
	(1000000000000022, 1000000000000000, 2026112208, NULL, false, '2026-11-22 00:30:37.316+00', NULL),
	(1000000000000000, 1000000000000002, 2026112212, NULL, false, '2026-11-22 00:30:36.838+00', NULL),
	(1000000000000024, 1000000000000001, 2026112201, NULL, false, '2026-11-22 00:30:36.837+00', NULL),
	(1000000000000020, 1000000000000001, 2099020205, NULL, false, '2026-11-22 00:30:36.837+00', NULL),
	(1000000000000017, 1000000000000001, 5, NULL, false, '2026-11-22 00:30:36.837+00', NULL),
	(1000000000000005, 1000000000000001, 2026112202, NULL, false, '2026-11-22 00:30:36.837+00', NULL),
	(1000000000000001, 1000000000000001, 2026112202, NULL, false, '2026-11-22 00:30:36.837+00', NULL),
	(1000000000000002, 1000000000000001, 2026112201, NULL, false, '2026-11-22 00:30:36.836+00', NULL),
	(1000000000000010, 1000000000000001, 2026112202, NULL, false, '2026-11-22 00:30:36.835+00', NULL),
	(1000000000000008, 1000000000000000, 2026112202, NULL, false, '2026-11-22 00:30:36.836+00', NULL),
	(1000000000000005, 1000000000000000, 2026112202, NULL, false, '2026-11-22 00:30:36.836+00', NULL),
	(1000000000000009, 1000000000000000, 2026112202, NULL, false, '2026-11-22 00:30:36.836+00', NULL),
	(1000000000000006, 1000000000000002, 2026112202, NULL, false, '2026-11-22 00:30:36.849+00', NULL),
	(1000000000000003, 1000000000000002, 2026112202, NULL, false, '2026-11-22 00:30:36.849+00', NULL),
	(1000000000000001, 1000000000000002, 2026112202, NULL, false, '2026-11-22 00:30:36.848+00', NULL),
	(1000000000000026, 1000000000000000, 2026117202, NULL, false, '2026-11-22 00:30:37+00', NULL),
	(1000000000000043, 1000000000000001, 2026112202, NULL, false, '2026-11-22 00:30:37.204+00', NULL),
	(1000000000000043, 1000000000000000, 2026112202, NULL, false, '2026-11-22 00:30:37.213+00', NULL),
	(1000000000000042, 1000000000000000, 2026112204, NULL, false, '2026-11-22 00:30:37.285+00', NULL),
	(1000000000000042, 1000000000000001, 2026112203, NULL, false, '2026-11-22 00:30:37.225+00', NULL);
INSERT INTO public.tsig_key VALUES
	(1000000000000000, 'all.bob', 'hmac-sha256', '\x45b6873536912ea6f18d978a0720515d9ecf1d6a641535b8ae5116799907cebd', false, 1000000000000001, NULL, NULL, NULL, true, NULL, NULL, '2026-11-22 00:30:32.79+00', false),
	(1000000000000001, 'acme.bob', 'hmac-sha256', '\xb7f2aebb9cab44c0f12e27e3a99b53e3141ff94f59842a274ade6b41917e31ba', false, 1000000000000001, '{updates.example}', '{_acme-challenge*}', '{TXT}', true, NULL, NULL, '2026-11-22 00:30:32.797+00', false),
	(1000000000000002, 'strong.bob', 'hmac-sha512', '\x819c232c25afefd775974c3b8ad24faa20a4086560399dcb7d25db08d53e958da4e4ae22b5b10eb2a9483571e191923dcd12b5f843b9b69e704293c2ee1ecc34', false, 1000000000000001, NULL, NULL, NULL, false, NULL, NULL, '2026-11-22 00:30:32.802+00', false),
	(1000000000000003, 'nobodys', 'hmac-sha384', '\x7390a1c2036c8be0d5c7d1c54e098199b8ce82014781ca36517dce02f605c8bd2b7fe680b427dceefb0e5a814f16fa42', false, NULL, '{*.example,updates.example}', NULL, NULL, true, NULL, NULL, '2026-11-22 00:30:32.805+00', false),
	(1000000000000004, 'expired', 'hmac-sha256', '\xfb44c3b8b8666c14a3c819364ddb5e7ba904b4c76a679bbb13deba0001056de2', false, 1000000000000001, NULL, NULL, NULL, true, '2026-11-22 00:30:33.806+00', NULL, '2026-11-22 00:30:32.809+00', false),
	(1000000000000005, 'lasting', 'hmac-sha256', '\x6bf6f60f90358bcf086b04313b250f57c09bd07723a7b3d01f7c741435c4614d', false, 1000000000000001, NULL, NULL, NULL, true, '2099-12-31 23:59:59.999+00', NULL, '2026-11-22 00:30:32.813+00', false),
	(1000000000000006, 'revoked', 'hmac-sha256', '\x52c2ce37e0f6edfb36c32d3ccc3b504f5692efb3fe474ec3be3794ead1652f87', false, 1000000000000001, NULL, NULL, NULL, true, NULL, '2026-11-22 00:30:32.82+00', '2026-11-22 00:30:32.816+00', false),
	(1000000000000007, 'bind1.example.net', 'hmac-sha512', '\x4e1197f8552356617e01d1d9f1ca6b1e133fa9f707b94efa774c3e3dc7d1535ea203a4763632f85ff08f25b8798cb4db24c0499f14e19c77ffb2af3d677e533c', false, NULL, NULL, NULL, NULL, true, NULL, NULL, '2026-11-22 00:30:32.823+00', false),
	(1000000000000008, 'knot1.example.net', 'hmac-sha256', '\xeb372644e6fd4723de20be5cd18f0777d4300413a3407b2df1c5cb36332dc6907fc01f6e7bcf92ec1e5bf347dc781a2ced106b1ba534de8ab2cf4c74', true, NULL, NULL, NULL, NULL, true, NULL, NULL, '2026-11-22 00:30:35.413+00', false),
	(1000000000000009, 'sealed.bob', 'hmac-sha256', '\x1f748b3a0d0bed2898908baf523a1ee997ab5174742536755d81bf831bd19504c6f48dccc3a60ad6db421d956291e3d5a055acb4f3b4f1642a38775a', true, 1000000000000001, '{updates.example}', NULL, NULL, true, NULL, NULL, '2026-11-22 00:30:35.425+00', false),
	(1000000000000565, 'key.v1-0.example', 'hmac-sha256', '\x79e175995b461b1cdd4c36ee146242d788a9ea19ded017060ba70f4ef6c9944338573dc66a7574a2688c2f27443a2ae5b850c2abf25800401b60819f', true, 1000000000000560, NULL, NULL, NULL, true, NULL, NULL, '2026-11-28 13:49:44.132+00', false);
INSERT INTO public.update_refusal VALUES
	(1000000000000000, 1000000000000022, 'updates.example', 'FORBIDDEN', 'REFUSED', 'update 1: the key acme.bob may not write at refused, only at _acme-challenge*.', '127.0.0.1', 'udp', 'acme.bob', 'hmac-sha256', '{"update add refused.updates.example. 300 A 192.0.2.1"}', '2026-11-22 00:30:34.173+00'),
	(1000000000000001, 1000000000000022, 'updates.example', 'NAME_NOT_IN_USE', 'NXDOMAIN', 'prerequisite 1: no record stands at nobody.', '127.0.0.1', 'udp', 'all.bob', 'hmac-sha256', '{"prereq yxdomain nobody.updates.example.","update add a.updates.example. 300 A 192.0.2.1"}', '2026-11-22 00:30:34.181+00'),
	(1000000000000002, 1000000000000022, 'updates.example', 'UNAUTHENTICATED', 'REFUSED', 'The update is not signed; sign it with a TSIG key of this service (RFC 8945).', '127.0.0.1', 'udp', NULL, NULL, '{"update add unsigned.updates.example. 300 A 192.0.2.1"}', '2026-11-22 00:30:34.191+00'),
	(1000000000000003, 1000000000000022, 'updates.example', 'UNAUTHENTICATED', 'NOTAUTH', 'There is no TSIG key unknown.', '127.0.0.1', 'udp', 'unknown', 'hmac-sha256', '{"update add a.updates.example. 300 A 192.0.2.1"}', '2026-11-22 00:30:34.195+00'),
	(1000000000000004, 1000000000000022, 'updates.example', 'UNAUTHENTICATED', 'NOTAUTH', 'the signature does not match: the secrets differ.', '127.0.0.1', 'udp', 'all.bob', 'hmac-sha256', '{"update add a.updates.example. 300 A 192.0.2.1"}', '2026-11-22 00:30:34.2+00'),
	(1000000000000005, 1000000000000022, 'updates.example', 'UNAUTHENTICATED', 'NOTAUTH', 'The key revoked was revoked at 2026-11-22T00:30:32.820Z.', '127.0.0.1', 'udp', 'revoked', 'hmac-sha256', '{"update add a.updates.example. 300 A 192.0.2.1"}', '2026-11-22 00:30:34.203+00'),
	(1000000000000006, 1000000000000000, 'example.com', 'NOT_FOUND', 'NOTAUTH', 'There is no zone example.com.', '127.0.0.1', 'udp', 'all.bob', 'hmac-sha256', '{"update add a.example.com. 300 A 192.0.2.1"}', '2026-11-22 00:30:34.208+00'),
	(1000000000000007, NULL, 'nowhere.example', 'NOT_FOUND', 'NOTAUTH', 'There is no zone nowhere.example.', '127.0.0.1', 'udp', 'all.bob', 'hmac-sha256', '{"update add a.nowhere.example. 300 A 192.0.2.1"}', '2026-11-22 00:30:34.214+00'),
	(1000000000000008, 1000000000000022, 'updates.example', 'UNAUTHENTICATED', 'NOTAUTH', 'The key expired expired at 2026-11-22T00:30:33.806Z; it is 2026-11-22T00:30:34.218Z.', '127.0.0.1', 'udp', 'expired', 'hmac-sha256', '{"prereq yxdomain host.updates.example."}', '2026-11-22 00:30:34.218+00'),
	(1000000000000009, 1000000000000024, 'late.example', 'NOT_FOUND', 'NOTAUTH', 'There is no zone late.example.', '127.0.0.1', 'udp', 'sealed.bob', 'hmac-sha256', '{"update add mail.late.example. 300 A 192.0.2.9"}', '2026-11-22 00:30:36.977+00');
INSERT INTO public."user" VALUES
	(1000000000000000, 'alice@example.com', '2026-11-22 00:30:32.663+00', 'NONE', '{}', false),
	(1000000000000001, 'bob@example.net', '2026-11-22 00:30:32.681+00', 'NONE', '{}', false),
	(1000000000000002, 'carol@example.org', '2026-11-22 00:30:32.69+00', 'NONE', '{}', false),
	(1000000000000006, 'Grace+dns@Example.com', '2026-11-22 00:30:32.714+00', 'NONE', '{}', false),
	(1000000000000560, 'owner@v1-0.example', '2026-11-28 13:49:43.569+00', 'NONE', '{}', false);
INSERT INTO public.webhook VALUES
	(1000000000000573, 1000000000000560, 'v1-0.example', 'https://hooks.invalid/', '{change_set.missed}', NULL, true, NULL, '\x925c5fd1878ef802b76b8e128be5120c2b1f1d085433bddf9bf840d0bdb7d41a91ac45c1ad9281e1677fbfbc0255113ba0d74d303c96a0949c101fad', NULL, NULL, true, 1000000000000947, 1000000000000004, 0, NULL, '2026-11-28 13:49:44.441+00');
INSERT INTO public.webhook_position VALUES
	(1, 1000000000000947);
INSERT INTO public.zone_record VALUES
	(1000000000000001, 1000000000000000, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000000, 2),
	(1000000000000002, 1000000000000000, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000000, 3),
	(1000000000000004, 1000000000000000, 'mail', 'A', 3600, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000001, 3),
	(1000000000000007, 1000000000000000, '@', 'TXT', 300, '"v=spf1 mx ~all"', '\x0e763d73706631206d78207e616c6c', '\x5d124ba4ce128fdd6e98615fb6b94d1c67f2942caf98773242f0910f3adf654f', DEFAULT, 1000000000000004, 3),
	(1000000000000008, 1000000000000000, 'host', 'A', 14400, '192.0.2.11', '\xc000020b', '\x2249c4b85cafe59fbd8c7f4b1c72fc6e225418775d65aa3097620411a06a6ce8', DEFAULT, 1000000000000007, 5),
	(1000000000000009, 1000000000000000, 'host', 'A', 14400, '192.0.2.10', '\xc000020a', '\xa58d5644edd5296ea2194695343556d9f48c18f0c56a2ba3bcf2ccf610d9113c', DEFAULT, 1000000000000007, 6),
	(1000000000000010, 1000000000000000, 'www', 'A', 0, '192.0.2.2', '\xc0000202', '\x0bc7de05ae971a103256115935e8092bfcd77194f47f281351c7bf75876dccc1', DEFAULT, 1000000000000009, 3),
	(1000000000000011, 1000000000000000, 'ttl1', 'A', 1, '192.0.2.2', '\xc0000202', '\x0bc7de05ae971a103256115935e8092bfcd77194f47f281351c7bf75876dccc1', DEFAULT, 1000000000000009, 4),
	(1000000000000012, 1000000000000000, 'longest', 'A', 2147483647, '192.0.2.2', '\xc0000202', '\x0bc7de05ae971a103256115935e8092bfcd77194f47f281351c7bf75876dccc1', DEFAULT, 1000000000000009, 5),
	(1000000000000006, 1000000000000000, '@', 'MX', 1800, '20 mail.example.com.', '\x0014046d61696c076578616d706c6503636f6d00', '\xa8e0e0d8f2c4ba5b5132fa36ab06ba05cc93b635f83e6ee4e6c3cd4542e6e66a', DEFAULT, 1000000000000010, 6),
	(1000000000000013, 1000000000000000, '@', 'MX', 1800, '30 mx.example.net.', '\x001e026d78076578616d706c65036e657400', '\xbd7bd3345cf62702f195292c86ac1bc1d2d64c49cade82f2814f9a7ecc79c71b', DEFAULT, 1000000000000010, 5),
	(1000000000000014, 1000000000000000, 'sub', 'NS', 3600, 'ns.sub.example.com.', '\x026e7303737562076578616d706c6503636f6d00', '\xdc2fb29f345c21cb4c99a65a37a4c07a90c4b2c84b5ac8a22653c3e6639ee97a', DEFAULT, 1000000000000011, 3),
	(1000000000000015, 1000000000000000, 'ns.sub', 'A', 3600, '192.0.2.53', '\xc0000235', '\x1da399680991e299d8ac63f489334d83d55642446e0be012839b7330ef3420c5', DEFAULT, 1000000000000011, 4),
	(1000000000000017, 1000000000000001, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000012, 2),
	(1000000000000018, 1000000000000001, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000012, 3),
	(1000000000000019, 1000000000000001, 'www', 'CNAME', 3600, 'sub.example.com.', '\x03737562076578616d706c6503636f6d00', '\xa60c24e2cc44a28d7cff7bc61d58960b46a44172f8d682a5d7c4568f080cc281', DEFAULT, 1000000000000012, 4),
	(1000000000000020, 1000000000000001, 'ns', 'A', 3600, '192.0.2.53', '\xc0000235', '\x1da399680991e299d8ac63f489334d83d55642446e0be012839b7330ef3420c5', DEFAULT, 1000000000000013, 3),
	(1000000000000022, 1000000000000002, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000014, 2),
	(1000000000000023, 1000000000000002, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000014, 3),
	(1000000000000024, 1000000000000002, 'www', 'CNAME', 3600, 'bob.example.com.', '\x03626f62076578616d706c6503636f6d00', '\xe9ef279046897a5e22f0555b17151860c789dfc2625462247d80116fa52f6ef8', DEFAULT, 1000000000000014, 4),
	(1000000000000263, 1000000000000012, 'many', 'A', 60, '198.51.100.35', '\xc6336423', '\x6e5eb883dcc462eb59f51802702396b0309b7f611ebcc6fcb914839e5371943d', DEFAULT, 1000000000000033, 38),
	(1000000000000026, 1000000000000003, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000015, 2),
	(1000000000000027, 1000000000000003, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000015, 3),
	(1000000000000028, 1000000000000003, 'www', 'CNAME', 3600, '2.0.192.in-addr.arpa.', '\x013201300331393207696e2d61646472046172706100', '\xc756a50303ea92700ac25be61b9c85ebf1a222a990f58df86449096d086a5034', DEFAULT, 1000000000000015, 4),
	(1000000000000029, 1000000000000003, '1', 'PTR', 3600, 'mail.example.com.', '\x046d61696c076578616d706c6503636f6d00', '\x4b73beeb85427df1ae6443844aea235cadaf361dd93d36afd2e22c3b472bb7dc', DEFAULT, 1000000000000016, 3),
	(1000000000000031, 1000000000000004, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000017, 2),
	(1000000000000032, 1000000000000004, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000017, 3),
	(1000000000000033, 1000000000000004, 'www', 'CNAME', 3600, '8.b.d.0.1.0.0.2.ip6.arpa.', '\x0138016201640130013101300130013203697036046172706100', '\xdd7a7196358fce2bc254ba7090c1824d3272c1afdf955a0e566f7f0830cfd796', DEFAULT, 1000000000000017, 4),
	(1000000000000034, 1000000000000004, '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0', 'PTR', 3600, 'mail.example.com.', '\x046d61696c076578616d706c6503636f6d00', '\x4b73beeb85427df1ae6443844aea235cadaf361dd93d36afd2e22c3b472bb7dc', DEFAULT, 1000000000000018, 3),
	(1000000000000036, 1000000000000005, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000019, 2),
	(1000000000000037, 1000000000000005, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000019, 3),
	(1000000000000038, 1000000000000005, 'www', 'CNAME', 3600, 'transferred.example.', '\x0b7472616e73666572726564076578616d706c6500', '\x939a52e057149546315da18fe8d904616ae8227e21b5b7ab0e87bd9acad7a714', DEFAULT, 1000000000000019, 4),
	(1000000000000039, 1000000000000005, 'a', 'A', 60, '192.0.2.3', '\xc0000203', '\xdf57255ed325915e562ae85a6f8875f6dfbb2138795fbfbe0c11e87b4dcfcb18', DEFAULT, 1000000000000020, 3),
	(1000000000000041, 1000000000000006, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000021, 2),
	(1000000000000042, 1000000000000006, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000021, 3),
	(1000000000000043, 1000000000000006, 'www', 'CNAME', 3600, 'types.example.', '\x057479706573076578616d706c6500', '\xe94d94ce05668756018862607b83274dd21a764906a495246319ee89fadb2be5', DEFAULT, 1000000000000021, 4),
	(1000000000000044, 1000000000000006, 't-a', 'A', 3600, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000022, 3),
	(1000000000000045, 1000000000000006, 't-ns', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000022, 4),
	(1000000000000046, 1000000000000006, 't-cname', 'CNAME', 3600, 'www.example.net.', '\x03777777076578616d706c65036e657400', '\x458d1b19480f648d8b48f4bf2dc37f600d60de328c10ea446eaa0c46355cc9b5', DEFAULT, 1000000000000022, 5),
	(1000000000000047, 1000000000000006, 't-mb', 'MB', 3600, 'mail.example.net.', '\x046d61696c076578616d706c65036e657400', '\xb69f24a68c82ea217d1729eb21b9cd927908495ff04d06514a15a3623a8b084c', DEFAULT, 1000000000000022, 6),
	(1000000000000048, 1000000000000006, 't-mg', 'MG', 3600, 'member.example.net.', '\x066d656d626572076578616d706c65036e657400', '\x5974e11f71cbca9487b35d66d94138984765b34999cd0071c67856aa1d57b310', DEFAULT, 1000000000000022, 7),
	(1000000000000049, 1000000000000006, 't-mr', 'MR', 3600, 'new.example.net.', '\x036e6577076578616d706c65036e657400', '\x3539f7cabb29595746e8209852995c972490227ac2366eb73b2b08d0dc652c59', DEFAULT, 1000000000000022, 8),
	(1000000000000213, 1000000000000011, 'u', 'TYPE65534', 300, '\# 0', '\x', '\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', DEFAULT, 1000000000000031, 3),
	(1000000000000214, 1000000000000011, 'u', 'TYPE65280', 300, '\# 3 00ff0a', '\x00ff0a', '\x712450d3c4a79eea9509e75dc1dacdeff58034df538536cfae2da882bd8a0c50', DEFAULT, 1000000000000031, 4),
	(1000000000000215, 1000000000000011, 'u', 'TYPE65280', 300, '\# 4 00ff0a00', '\x00ff0a00', '\x9701b57d7167bf3d466da450ffb23e7d746ce237cd2fbf6a53afc633c1338327', DEFAULT, 1000000000000031, 5),
	(1000000000000216, 1000000000000011, 'u', 'A', 300, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000031, 6),
	(1000000000000217, 1000000000000011, 'text', 'TXT', 300, '""', '\x00', '\x6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d', DEFAULT, 1000000000000031, 7),
	(1000000000000218, 1000000000000011, 'text', 'TXT', 300, '"a" "b c" "\"quoted\"" "\\ \000\255;"', '\x016103622063082271756f74656422055c2000ff3b', '\x7cdf5faf9097014a2788a3ea31c0416d8de71c2f199e9d64d0c5079244fbf515', DEFAULT, 1000000000000031, 8),
	(1000000000000268, 1000000000000012, 'many', 'A', 60, '198.51.100.40', '\xc6336428', '\xb0fb604b75ba5746823d117f03099816408110cda851d0414a671263deaced6f', DEFAULT, 1000000000000033, 43),
	(1000000000000050, 1000000000000006, 't-ptr', 'PTR', 3600, 'host.example.net.', '\x04686f7374076578616d706c65036e657400', '\x2ce888341870ee3fbfa8f01ae4393f905c15ef5e89cd9095f54f40b77ad55228', DEFAULT, 1000000000000022, 9),
	(1000000000000051, 1000000000000006, 't-hinfo', 'HINFO', 3600, '"PC" "Linux"', '\x025043054c696e7578', '\x2afd81427779e436fdc78c469b5a2719cebac89908ac37b3089c2ff65bda50f1', DEFAULT, 1000000000000022, 10),
	(1000000000000052, 1000000000000006, 't-minfo', 'MINFO', 3600, 'owner.example.net. errors.example.net.', '\x056f776e6572076578616d706c65036e657400066572726f7273076578616d706c65036e657400', '\x21734ec07ef8920643c998c059e0081f8dadfa2aae14001becb924d5110bacfd', DEFAULT, 1000000000000022, 11),
	(1000000000000053, 1000000000000006, 't-mx', 'MX', 3600, '10 mail.example.net.', '\x000a046d61696c076578616d706c65036e657400', '\x55c43702f6a9e7dd976821f8fd34b48daebcc9b0c5aa2914d79e3a97804a33da', DEFAULT, 1000000000000022, 12),
	(1000000000000054, 1000000000000006, 't-txt', 'TXT', 3600, '"v=spf1 mx -all"', '\x0e763d73706631206d78202d616c6c', '\x87f39f47ed7a4a6d00a19697fff57fd1c8e925fa54a3554e4e17ebb6737825e4', DEFAULT, 1000000000000022, 13),
	(1000000000000055, 1000000000000006, 't-rp', 'RP', 3600, 'admin.example.net. about.example.net.', '\x0561646d696e076578616d706c65036e6574000561626f7574076578616d706c65036e657400', '\x3157bd25de4a0e228f601e39c923e4c7d35c8a41c92dad0db817a96f85317fcd', DEFAULT, 1000000000000022, 14),
	(1000000000000056, 1000000000000006, 't-afsdb', 'AFSDB', 3600, '1 afs.example.net.', '\x000103616673076578616d706c65036e657400', '\x72a5e44404454725f77551dcbb7fa878d91ec87e90052a1d9aaa51a636301b0d', DEFAULT, 1000000000000022, 15),
	(1000000000000057, 1000000000000006, 't-x25', 'X25', 3600, '"311061700956"', '\x0c333131303631373030393536', '\xbb8bf655488ecfe001baf87c3413205c6ef0b082d1a5a6f49ed58e46bafff55f', DEFAULT, 1000000000000022, 16),
	(1000000000000058, 1000000000000006, 't-isdn', 'ISDN', 3600, '"150862028003217" "004"', '\x0f31353038363230323830303332313703303034', '\x5052386f611c8d86264cea6393ddf23cf8ecbe8281409af4a7a452f86dc59456', DEFAULT, 1000000000000022, 17),
	(1000000000000059, 1000000000000006, 't-rt', 'RT', 3600, '10 relay.example.net.', '\x000a0572656c6179076578616d706c65036e657400', '\x3c74cfd475bc23ab7470e67d75254392c5ff3e7c7f917a1a36fef2b622b38bc4', DEFAULT, 1000000000000022, 18),
	(1000000000000060, 1000000000000006, 't-nsap', 'NSAP', 3600, '0x47000580005A0000000001E133FFFFFF00016100', '\x47000580005a0000000001e133ffffff00016100', '\x3766122596f3b991b817fa7fe2640a95ee5d839c213e89a62e42a69afe31e7e9', DEFAULT, 1000000000000022, 19),
	(1000000000000061, 1000000000000006, 't-nsap-ptr', 'NSAP-PTR', 3600, 'host.example.net.', '\x04686f7374076578616d706c65036e657400', '\x2ce888341870ee3fbfa8f01ae4393f905c15ef5e89cd9095f54f40b77ad55228', DEFAULT, 1000000000000022, 20),
	(1000000000000062, 1000000000000006, 't-key', 'KEY', 3600, '512 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=', '\x0200030f974d96a22d224bc01adb915091477d44ccd91c9a41a11430010117d52c59240e', '\x67a22b897fe034263ab991cdca054d98999226038dca43a4a5973451f9d82dad', DEFAULT, 1000000000000022, 21),
	(1000000000000063, 1000000000000006, 't-px', 'PX', 3600, '10 example.net. PRMD-a.ADMD-b.C-de.', '\x000a076578616d706c65036e6574000650524d442d610641444d442d6204432d646500', '\xb9f080c8caebd0af45a36125cac3f801eac9662d3639ac12abe86a516749a24b', DEFAULT, 1000000000000022, 22),
	(1000000000000064, 1000000000000006, 't-gpos', 'GPOS', 3600, '"-32.6882" "116.8652" "10.0"', '\x082d33322e36383832083131362e383635320431302e30', '\xf34b136c58b168aec1ea6c1ceb581dcddbe73f8b144721f9a4e9b863462206ab', DEFAULT, 1000000000000022, 23),
	(1000000000000065, 1000000000000006, 't-aaaa', 'AAAA', 3600, '2001:db8::1', '\x20010db8000000000000000000000001', '\x1e03d7e1ca9db5080365cbde610828b6273acb1324137a7f921d9139ca13f8f3', DEFAULT, 1000000000000022, 24),
	(1000000000000066, 1000000000000006, 't-loc', 'LOC', 3600, '52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000.00m 10.00m', '\x000016138b3cf018810cbce0009895b8', '\xe471698e16f8125483af7cb1fad0af980506b93e87ed39af2f4554b9cc273bd9', DEFAULT, 1000000000000022, 25),
	(1000000000000067, 1000000000000006, 't-eid', 'EID', 3600, '0A000001', '\x0a000001', '\x47b774c93d5c0301cf44937581d402c39bb7c58fd7470032df9750abc5d52f00', DEFAULT, 1000000000000022, 26),
	(1000000000000068, 1000000000000006, 't-nimloc', 'NIMLOC', 3600, '0A000001', '\x0a000001', '\x47b774c93d5c0301cf44937581d402c39bb7c58fd7470032df9750abc5d52f00', DEFAULT, 1000000000000022, 27),
	(1000000000000069, 1000000000000006, 't-srv', 'SRV', 3600, '10 20 5060 sip.example.net.', '\x000a001413c403736970076578616d706c65036e657400', '\x2cee61beed61a44031d35e90589871f86e7c3cfdaf836c392382b10585937d09', DEFAULT, 1000000000000022, 28),
	(1000000000000070, 1000000000000006, 't-naptr', 'NAPTR', 3600, '100 10 "S" "SIP+D2U" "" _sip._udp.example.net.', '\x0064000a0153075349502b44325500045f736970045f756470076578616d706c65036e657400', '\x138cd163184a48eee14d6b32edd6fdb2c7074d73718ee93ca944fbb2eefd31cb', DEFAULT, 1000000000000022, 29),
	(1000000000000071, 1000000000000006, 't-kx', 'KX', 3600, '10 kx.example.net.', '\x000a026b78076578616d706c65036e657400', '\xf2558113f8a13930b6d5c4404e402748cbd21913ae491b926ae517741b402686', DEFAULT, 1000000000000022, 30),
	(1000000000000072, 1000000000000006, 't-cert', 'CERT', 3600, '1 0 0 AQIDBAUGBwgJCgsMDQ4PEA==', '\x00010000000102030405060708090a0b0c0d0e0f10', '\xf88b3cee9b7c190d995d5d6eacad92aa2312312aa4262d0c6f9808c9d59c1304', DEFAULT, 1000000000000022, 31),
	(1000000000000073, 1000000000000006, 't-dname', 'DNAME', 3600, 'example.net.', '\x076578616d706c65036e657400', '\x5aaf3ac400ef27d36b68cca88a18f7bc20eac2115c86d5eae5c83ff25e6f0bbf', DEFAULT, 1000000000000022, 32),
	(1000000000000074, 1000000000000006, 't-apl', 'APL', 3600, '1:192.0.2.0/24 !1:192.0.2.64/28', '\x00011803c0000200011c84c0000240', '\xd6ba432012377beaf7be9570e4b56673912b69df69ea3c65f363698b36fd5f1e', DEFAULT, 1000000000000022, 33),
	(1000000000000075, 1000000000000006, 't-ds', 'DS', 3600, '60485 13 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A', '\xec450d02d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a', '\x0a749283d3c7fe60fa0ff696c1110f3da147398c0a91d9f7ea2381bb2ae1569f', DEFAULT, 1000000000000022, 34),
	(1000000000000076, 1000000000000006, 't-sshfp', 'SSHFP', 3600, '4 2 123456789ABCDEF67890123456789ABCDEF67890123456789ABCDEF123456789', '\x0402123456789abcdef67890123456789abcdef67890123456789abcdef123456789', '\xbf52e242a0b298511eba53514fce82a35b59d7b66434d5a88e38779cfb300c2f', DEFAULT, 1000000000000022, 35),
	(1000000000000077, 1000000000000006, 't-ipseckey', 'IPSECKEY', 3600, '10 1 2 192.0.2.38 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==', '\x0a0102c0000226010351537986ed35533b6064478eeeb27b5bd74dae149b6e81ba3a0521af82ab7801', '\xc2e0d0f4841c739a6a93b6cf7652a52f0a285e35524909b0316e19ff0edbe04c', DEFAULT, 1000000000000022, 36),
	(1000000000000078, 1000000000000006, 't-dnskey', 'DNSKEY', 3600, '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=', '\x0101030f974d96a22d224bc01adb915091477d44ccd91c9a41a11430010117d52c59240e', '\xebcc725dbc4a67c7f58064dfa71b4094d3f20acca10170bf336bbb053142cc12', DEFAULT, 1000000000000022, 37),
	(1000000000000079, 1000000000000006, 't-dhcid', 'DHCID', 3600, 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=', '\x000201636fc0b8271c82825bb1ac5c41cf5351aa69b4febd94e8f17cdb95000da48c40', '\x10cf14aa51cbd1e8bb9d723f40d95dd6f2fb83bb7f23073cbfe638cf6ab69919', DEFAULT, 1000000000000022, 38),
	(1000000000000080, 1000000000000006, 't-nsec3param', 'NSEC3PARAM', 3600, '1 0 0 -', '\x0100000000', '\x957b88b12730e646e0f33d3618b77dfa579e8231e3c59c7104be7165611c8027', DEFAULT, 1000000000000022, 39),
	(1000000000000081, 1000000000000006, 't-tlsa', 'TLSA', 3600, '3 1 1 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A', '\x030101d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a', '\x028d995694dfc23c63b392c1c9290ebc029d3be1ee62f3c533858df396c8d5b2', DEFAULT, 1000000000000022, 40),
	(1000000000000082, 1000000000000006, 't-smimea', 'SMIMEA', 3600, '3 1 1 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A', '\x030101d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a', '\x028d995694dfc23c63b392c1c9290ebc029d3be1ee62f3c533858df396c8d5b2', DEFAULT, 1000000000000022, 41),
	(1000000000000083, 1000000000000006, 't-hip', 'HIP', 3600, '2 200100107B1A74DF365639CC39F1D578 AwEAAbdxyhNuSutc5EMzxTs9LBPCIkOFH8cIvM4p', '\x1002001e200100107b1a74df365639cc39f1d57803010001b771ca136e4aeb5ce44333c53b3d2c13c22243851fc708bcce29', '\x14e43bb0d68f55b0297a08a28879d0df1a78869bc7ca83badf9fa07dc17f944a', DEFAULT, 1000000000000022, 42),
	(1000000000000084, 1000000000000006, 't-ninfo', 'NINFO', 3600, '"text"', '\x0474657874', '\xf356a0ce0f2847fc65cea39d99a643e90e2bb2316aa00d6e1b24226abcfbebce', DEFAULT, 1000000000000022, 43),
	(1000000000000085, 1000000000000006, 't-rkey', 'RKEY', 3600, '0 255 1 AQIDBAUGBwgJCgsMDQ4PEA==', '\x0000ff010102030405060708090a0b0c0d0e0f10', '\xefa5057057df2c18d8f479785a75300c1c20aafd42de7c830047bbf1dbcf32a9', DEFAULT, 1000000000000022, 44),
	(1000000000000086, 1000000000000006, 't-talink', 'TALINK', 3600, 'previous.example.net. next.example.net.', '\x0870726576696f7573076578616d706c65036e657400046e657874076578616d706c65036e657400', '\x7db5807bea06f9e20af1d5b3964b3e21cb9f0b9ed6cdf77445dc7d300a45fb42', DEFAULT, 1000000000000022, 45),
	(1000000000000087, 1000000000000006, 't-cds', 'CDS', 3600, '60485 13 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A', '\xec450d02d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a', '\x0a749283d3c7fe60fa0ff696c1110f3da147398c0a91d9f7ea2381bb2ae1569f', DEFAULT, 1000000000000022, 46),
	(1000000000000088, 1000000000000006, 't-cdnskey', 'CDNSKEY', 3600, '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=', '\x0101030f974d96a22d224bc01adb915091477d44ccd91c9a41a11430010117d52c59240e', '\xebcc725dbc4a67c7f58064dfa71b4094d3f20acca10170bf336bbb053142cc12', DEFAULT, 1000000000000022, 47),
	(1000000000000089, 1000000000000006, 't-openpgpkey', 'OPENPGPKEY', 3600, 'AQIDBAUGBwgJCgsMDQ4PEA==', '\x0102030405060708090a0b0c0d0e0f10', '\x5dfbabeedf318bf33c0927c43d7630f51b82f351740301354fa3d7fc51f0132e', DEFAULT, 1000000000000022, 48),
	(1000000000000090, 1000000000000006, 't-csync', 'CSYNC', 3600, '66 3 A NS AAAA', '\x000000420003000460000008', '\xdbfd975079e0d3feda44492b0f82bc55ee05585225d03cf4c6c0e623985edeac', DEFAULT, 1000000000000022, 49),
	(1000000000000091, 1000000000000006, 't-zonemd', 'ZONEMD', 3600, '2018031900 1 240 E2D523F654B9422A96C5A8F44607BBEE', '\x7848b91c01f0e2d523f654b9422a96c5a8f44607bbee', '\xb5a55ad578e9e9d69476e13c3f1a2dc951587acb1b3d65394ea3e418e4762f7d', DEFAULT, 1000000000000022, 50),
	(1000000000000092, 1000000000000006, 't-svcb', 'SVCB', 3600, '1 svc.example.net. alpn="h2" port=8443', '\x000103737663076578616d706c65036e657400000100030268320003000220fb', '\xd67ed542af7e2da8440c27850541da341e8ca1bbd48d9c1d38a9645326f6da4a', DEFAULT, 1000000000000022, 51),
	(1000000000000093, 1000000000000006, 't-https', 'HTTPS', 3600, '1 . alpn="h2,h3"', '\x00010000010006026832026833', '\xbc6d2facaee858cf3b649c3c19c24af6ed41c2f2db4c8129d6ea34420e2738b0', DEFAULT, 1000000000000022, 52),
	(1000000000000094, 1000000000000006, 't-dsync', 'DSYNC', 3600, 'CDS 1 53 notify.example.net.', '\x003b010035066e6f74696679076578616d706c65036e657400', '\x60df847e9fa731e0f1f87b234a4c3276452547e8b896a785157e738de1a8fc03', DEFAULT, 1000000000000022, 53),
	(1000000000000095, 1000000000000006, 't-spf', 'SPF', 3600, '"v=spf1 mx -all"', '\x0e763d73706631206d78202d616c6c', '\x87f39f47ed7a4a6d00a19697fff57fd1c8e925fa54a3554e4e17ebb6737825e4', DEFAULT, 1000000000000022, 54),
	(1000000000000096, 1000000000000006, 't-nid', 'NID', 3600, '10 0014:4fff:ff20:ee64', '\x000a00144fffff20ee64', '\x140b2c42faaf57d44b34ea124312566293062bc5fea62b342e1be1f42251e61a', DEFAULT, 1000000000000022, 55),
	(1000000000000097, 1000000000000006, 't-l32', 'L32', 3600, '10 10.1.2.0', '\x000a0a010200', '\x38f14397a83ea3c5207301ce887abf860740bad52f651bff6a4da48f09527bfe', DEFAULT, 1000000000000022, 56),
	(1000000000000098, 1000000000000006, 't-l64', 'L64', 3600, '10 2001:0db8:1140:1000', '\x000a20010db811401000', '\xccab665902aeec6e04a9e74271cdf6275eb2592c478b1c9e510ef525c73b999d', DEFAULT, 1000000000000022, 57),
	(1000000000000099, 1000000000000006, 't-lp', 'LP', 3600, '10 l64.example.net.', '\x000a036c3634076578616d706c65036e657400', '\xc465f40876a73e0f4857a15fa23b308baed7af58e089d5ed4cd035149b06727a', DEFAULT, 1000000000000022, 58),
	(1000000000000100, 1000000000000006, 't-eui48', 'EUI48', 3600, '00-00-5e-00-53-2a', '\x00005e00532a', '\xe150331625823e1e88be71e7f4f0a966a6ba041bf47278abe729e39cc2cc32e1', DEFAULT, 1000000000000022, 59);
INSERT INTO public.zone_record VALUES
	(1000000000000101, 1000000000000006, 't-eui64', 'EUI64', 3600, '00-00-5e-ef-10-00-00-2a', '\x00005eef1000002a', '\x1468a9ee364b86932f98615173baec01acf919c37eba980826e9392e330ab141', DEFAULT, 1000000000000022, 60),
	(1000000000000102, 1000000000000006, 't-uri', 'URI', 3600, '10 1 "https://www.example.net/"', '\x000a000168747470733a2f2f7777772e6578616d706c652e6e65742f', '\x18f2bf73b2967061c3d3f887631f008b131ccc46b93e44287d18d954baf6ad56', DEFAULT, 1000000000000022, 61),
	(1000000000000103, 1000000000000006, 't-caa', 'CAA', 3600, '0 issue "ca.example.net"', '\x0005697373756563612e6578616d706c652e6e6574', '\x724eb3ac02a02ac7c45230f6d36fab38e758d1a06bc89fbd0ec59d5ccb3fdcfc', DEFAULT, 1000000000000022, 62),
	(1000000000000104, 1000000000000006, 't-avc', 'AVC', 3600, '"app-name:WOLFGANG"', '\x116170702d6e616d653a574f4c4647414e47', '\x69087ca99d9f543428e9f09b52c7e432f302e1c1278784ef0605805651337e37', DEFAULT, 1000000000000022, 63),
	(1000000000000105, 1000000000000006, 't-amtrelay', 'AMTRELAY', 3600, '10 0 1 192.0.2.1', '\x0a01c0000201', '\xd780160176c15f8cbd69cb52c1068bf5ce806ba6c87b0a5da4c2e61dba62a18e', DEFAULT, 1000000000000022, 64),
	(1000000000000106, 1000000000000006, 't-resinfo', 'RESINFO', 3600, '"qnamemin" "exterr=15,16,17"', '\x08716e616d656d696e0f6578746572723d31352c31362c3137', '\x65c719a7d546d9c25d2dd1a382d56786d13a415f90e26ae076bfbe1ae626c9c4', DEFAULT, 1000000000000022, 65),
	(1000000000000107, 1000000000000006, 't-wallet', 'WALLET', 3600, '"currency" "address"', '\x0863757272656e63790761646472657373', '\x8b1df55ac5c24807727447dffc58e4e3cf71917cc2bc1219496c6b15cdab9217', DEFAULT, 1000000000000022, 66),
	(1000000000000108, 1000000000000006, 't-ta', 'TA', 3600, '60485 13 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A', '\xec450d02d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a', '\x0a749283d3c7fe60fa0ff696c1110f3da147398c0a91d9f7ea2381bb2ae1569f', DEFAULT, 1000000000000022, 67),
	(1000000000000109, 1000000000000006, 't-dlv', 'DLV', 3600, '60485 13 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A', '\xec450d02d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a', '\x0a749283d3c7fe60fa0ff696c1110f3da147398c0a91d9f7ea2381bb2ae1569f', DEFAULT, 1000000000000022, 68),
	(1000000000000110, 1000000000000006, 't-ds', 'NS', 3600, 'ns.example.net.', '\x026e73076578616d706c65036e657400', '\xf1d073afaa431a6d4a7d876fc6914ba8a641a9650112852c55714017bd62b933', DEFAULT, 1000000000000022, 69),
	(1000000000000112, 1000000000000007, '@', 'NS', 5400, 'ns.example.net.', '\x026e73076578616d706c65036e657400', '\xf1d073afaa431a6d4a7d876fc6914ba8a641a9650112852c55714017bd62b933', DEFAULT, 1000000000000023, 2),
	(1000000000000113, 1000000000000007, 'v-a', 'A', 5400, '0.0.0.0', '\x00000000', '\xdf3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119', DEFAULT, 1000000000000023, 3),
	(1000000000000114, 1000000000000007, 'v-aaaa', 'AAAA', 5400, '::', '\x00000000000000000000000000000000', '\x374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb', DEFAULT, 1000000000000023, 4),
	(1000000000000115, 1000000000000007, 'v-txt', 'TXT', 5400, '""', '\x00', '\x6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d', DEFAULT, 1000000000000023, 64),
	(1000000000000116, 1000000000000007, 'v-spf', 'SPF', 5400, '"" "test1" "\255" "test2"', '\x0005746573743101ff057465737432', '\x86d5ae877cf9525b0f3126b1e4ed6473eb9154c7fd743ab86fcdb87d45e160d2', DEFAULT, 1000000000000023, 57),
	(1000000000000117, 1000000000000007, 'v-ns', 'NS', 5400, '.', '\x00', '\x6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d', DEFAULT, 1000000000000023, 45),
	(1000000000000118, 1000000000000007, 'v-cname', 'CNAME', 5400, 'test.example.com.vectors.example.', '\x0474657374076578616d706c6503636f6d07766563746f7273076578616d706c6500', '\x23d8b692902b7c9ceb5285704ebcc5c9aa91e4b857fee6feb8bc1671c049643f', DEFAULT, 1000000000000023, 13),
	(1000000000000119, 1000000000000007, 'v-ptr', 'PTR', 5400, 'test.example.com.vectors.example.', '\x0474657374076578616d706c6503636f6d07766563746f7273076578616d706c6500', '\x23d8b692902b7c9ceb5285704ebcc5c9aa91e4b857fee6feb8bc1671c049643f', DEFAULT, 1000000000000023, 50),
	(1000000000000120, 1000000000000007, 'v-dname', 'DNAME', 5400, 'test.example.com.vectors.example.', '\x0474657374076578616d706c6503636f6d07766563746f7273076578616d706c6500', '\x23d8b692902b7c9ceb5285704ebcc5c9aa91e4b857fee6feb8bc1671c049643f', DEFAULT, 1000000000000023, 17),
	(1000000000000121, 1000000000000007, 'v-mx', 'MX', 5400, '0 vectors.example.', '\x000007766563746f7273076578616d706c6500', '\x2db88967aaa1639dfd04281be4fb10a7cda5a91f97c29d8677b76a8420585487', DEFAULT, 1000000000000023, 40),
	(1000000000000122, 1000000000000007, 'v-afsdb', 'AFSDB', 5400, '1 mail.vectors.example.', '\x0001046d61696c07766563746f7273076578616d706c6500', '\x331ad399131b880d86b8a74a2f15850f4ea6e33cfd6c52dace626b8421e4c418', DEFAULT, 1000000000000023, 5),
	(1000000000000123, 1000000000000007, 'v-rt', 'RT', 5400, '1 mail.vectors.example.', '\x0001046d61696c07766563746f7273076578616d706c6500', '\x331ad399131b880d86b8a74a2f15850f4ea6e33cfd6c52dace626b8421e4c418', DEFAULT, 1000000000000023, 55),
	(1000000000000124, 1000000000000007, 'v-kx', 'KX', 5400, '1 mail.vectors.example.', '\x0001046d61696c07766563746f7273076578616d706c6500', '\x331ad399131b880d86b8a74a2f15850f4ea6e33cfd6c52dace626b8421e4c418', DEFAULT, 1000000000000023, 31),
	(1000000000000125, 1000000000000007, 'v-hinfo', 'HINFO', 5400, '"" ""', '\x0000', '\x96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7', DEFAULT, 1000000000000023, 26),
	(1000000000000126, 1000000000000007, 'v-minfo', 'MINFO', 5400, '. .', '\x0000', '\x96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7', DEFAULT, 1000000000000023, 38),
	(1000000000000127, 1000000000000007, 'v-rp', 'RP', 5400, 'mail.vectors.example. mail.tld.', '\x046d61696c07766563746f7273076578616d706c6500046d61696c03746c6400', '\x10092709b4d6a2975a1b43d010ba41671710937ac35240abffc4de9ea1feaa6b', DEFAULT, 1000000000000023, 54),
	(1000000000000128, 1000000000000007, 'v-srv', 'SRV', 5400, '0 0 0 vectors.example.', '\x00000000000007766563746f7273076578616d706c6500', '\x30dbb26e6359ffbc6154de1ffe9c31db0d2ecfe24fb18d30ce6adbd773f666ac', DEFAULT, 1000000000000023, 58),
	(1000000000000129, 1000000000000007, 'v-naptr', 'NAPTR', 5400, '0 0 "" "" "" vectors.example.', '\x0000000000000007766563746f7273076578616d706c6500', '\xb5c8d6138afcc1fbb33c90c162d4f834a3671c8f0a0473ad35456bd6fe260aa9', DEFAULT, 1000000000000023, 41),
	(1000000000000130, 1000000000000007, 'v-cert', 'CERT', 5400, '65535 65535 255 AA==', '\xffffffffff00', '\x8dae1aa5b9d63012e90c2e2b738d53e8ae1f77e8e4e2f0901efe353ff89fbe48', DEFAULT, 1000000000000023, 12),
	(1000000000000131, 1000000000000007, 'v-key', 'KEY', 5400, '0 0 0 AA==', '\x0000000000', '\x8855508aade16ec573d21e6a485dfd0a7624085c1a14b5ecdd6485de0c6839a4', DEFAULT, 1000000000000023, 30),
	(1000000000000132, 1000000000000007, 'v-dnskey', 'DNSKEY', 5400, '0 0 0 AA==', '\x0000000000', '\x8855508aade16ec573d21e6a485dfd0a7624085c1a14b5ecdd6485de0c6839a4', DEFAULT, 1000000000000023, 18),
	(1000000000000133, 1000000000000007, 'v-apl', 'APL', 5400, '\# 0', '\x', '\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', DEFAULT, 1000000000000023, 7),
	(1000000000000134, 1000000000000007, 'v-ds', 'DS', 5400, '65535 255 255 00', '\xffffffff00', '\xeed37189a108c4fcf83a77d93e43d7186d3e37f4ea555eb6c54cc887d2387b93', DEFAULT, 1000000000000023, 19),
	(1000000000000135, 1000000000000007, 'v-sshfp', 'SSHFP', 5400, '0 0 00', '\x000000', '\x709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c', DEFAULT, 1000000000000023, 59),
	(1000000000000136, 1000000000000007, 'v-ipseckey', 'IPSECKEY', 5400, '255 3 255 . AA==', '\xff03ff0000', '\x817a654f8ebb4927f15ed722f559b58025c9e07b13f5911217cdf641635c97e2', DEFAULT, 1000000000000023, 28),
	(1000000000000137, 1000000000000007, 'v-dhcid', 'DHCID', 5400, 'AA==', '\x00', '\x6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d', DEFAULT, 1000000000000023, 15),
	(1000000000000138, 1000000000000007, 'v-nsec3param', 'NSEC3PARAM', 5400, '0 0 0 -', '\x0000000000', '\x8855508aade16ec573d21e6a485dfd0a7624085c1a14b5ecdd6485de0c6839a4', DEFAULT, 1000000000000023, 48),
	(1000000000000139, 1000000000000007, 'v-tlsa', 'TLSA', 5400, '0 0 0 00', '\x00000000', '\xdf3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119', DEFAULT, 1000000000000023, 63),
	(1000000000000140, 1000000000000007, 'v-loc', 'LOC', 5400, '1 0 0.000 N 1 0 0.000 E 0.00m 1.00m 10000.00m 10.00m', '\x001216138036ee808036ee8000989680', '\x9cca38115a000b6bcdc856918424cc87c451ac34f65343551a6a03e03fc0bb64', DEFAULT, 1000000000000023, 34),
	(1000000000000141, 1000000000000007, 'v-eui48', 'EUI48', 5400, '00-00-00-00-00-00', '\x000000000000', '\xb0f66adc83641586656866813fd9dd0b8ebb63796075661ba45d1aa8089e1d44', DEFAULT, 1000000000000023, 23),
	(1000000000000142, 1000000000000007, 'v-eui64', 'EUI64', 5400, '00-00-00-00-00-00-00-00', '\x0000000000000000', '\xaf5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc', DEFAULT, 1000000000000023, 24),
	(1000000000000143, 1000000000000007, 'v-nid', 'NID', 5400, '0 0000:0000:0000:0000', '\x00000000000000000000', '\x01d448afd928065458cf670b60f5a594d735af0172c8d67f22a81680132681ca', DEFAULT, 1000000000000023, 42),
	(1000000000000144, 1000000000000007, 'v-l32', 'L32', 5400, '0 0.0.0.0', '\x000000000000', '\xb0f66adc83641586656866813fd9dd0b8ebb63796075661ba45d1aa8089e1d44', DEFAULT, 1000000000000023, 32),
	(1000000000000145, 1000000000000007, 'v-l64', 'L64', 5400, '0 0000:0000:0000:0000', '\x00000000000000000000', '\x01d448afd928065458cf670b60f5a594d735af0172c8d67f22a81680132681ca', DEFAULT, 1000000000000023, 33),
	(1000000000000146, 1000000000000007, 'v-lp', 'LP', 5400, '1 mail.vectors.example.', '\x0001046d61696c07766563746f7273076578616d706c6500', '\x331ad399131b880d86b8a74a2f15850f4ea6e33cfd6c52dace626b8421e4c418', DEFAULT, 1000000000000023, 35),
	(1000000000000147, 1000000000000007, 'v-cds', 'CDS', 5400, '0 0 0 00', '\x0000000000', '\x8855508aade16ec573d21e6a485dfd0a7624085c1a14b5ecdd6485de0c6839a4', DEFAULT, 1000000000000023, 11),
	(1000000000000148, 1000000000000007, 'v-cdnskey', 'CDNSKEY', 5400, '0 0 0 AA==', '\x0000000000', '\x8855508aade16ec573d21e6a485dfd0a7624085c1a14b5ecdd6485de0c6839a4', DEFAULT, 1000000000000023, 10),
	(1000000000000149, 1000000000000007, 'v-uri', 'URI', 5400, '0 0 "ftp://a"', '\x000000006674703a2f2f61', '\x651c9ddee7c358f6474febcbea7198647bbccd03e4fe7b3075fc20945c8fc972', DEFAULT, 1000000000000023, 65),
	(1000000000000150, 1000000000000007, 'v-caa', 'CAA', 5400, '0 a "a ; b"', '\x00016161203b2062', '\xd0e5eb17a817413392e9e4c7e36482d30c417922d8906763c49f6fc39a25620e', DEFAULT, 1000000000000023, 9),
	(1000000000000151, 1000000000000007, 'v-smimea', 'SMIMEA', 5400, '0 0 0 00', '\x00000000', '\xdf3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119', DEFAULT, 1000000000000023, 56),
	(1000000000000152, 1000000000000007, 'v-openpgpkey', 'OPENPGPKEY', 5400, 'AA==', '\x00', '\x6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d', DEFAULT, 1000000000000023, 49),
	(1000000000000153, 1000000000000007, 'v-csync', 'CSYNC', 5400, '0 0 TYPE65535', '\x000000000000ff200000000000000000000000000000000000000000000000000000000000000001', '\x61bff0fd419f7d40548b217bddb79eb99ffb779bea7c98aa8e0870cc1e209c62', DEFAULT, 1000000000000023, 14),
	(1000000000000154, 1000000000000007, 'v-svcb', 'SVCB', 5400, '0 .', '\x000000', '\x709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c', DEFAULT, 1000000000000023, 60),
	(1000000000000155, 1000000000000007, 'v-https', 'HTTPS', 5400, '0 .', '\x000000', '\x709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c', DEFAULT, 1000000000000023, 27),
	(1000000000000156, 1000000000000007, 'v-wallet', 'WALLET', 5400, '"" "test1" "\255" "test2"', '\x0005746573743101ff057465737432', '\x86d5ae877cf9525b0f3126b1e4ed6473eb9154c7fd743ab86fcdb87d45e160d2', DEFAULT, 1000000000000023, 66),
	(1000000000000157, 1000000000000007, 'v-dsync', 'DSYNC', 5400, 'CDS 1 53 *._dsync.example.', '\x003b010035012a065f6473796e63076578616d706c6500', '\x6c80465e5951428d5dc457e7c47cc74b2ea642582f38c0e355da9efdaa5b3d2e', DEFAULT, 1000000000000023, 21),
	(1000000000000158, 1000000000000007, 'v-resinfo', 'RESINFO', 5400, '"" "test1" "\255" "test2"', '\x0005746573743101ff057465737432', '\x86d5ae877cf9525b0f3126b1e4ed6473eb9154c7fd743ab86fcdb87d45e160d2', DEFAULT, 1000000000000023, 52),
	(1000000000000159, 1000000000000007, 'v-amtrelay', 'AMTRELAY', 5400, '0 0 0 .', '\x0000', '\x96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7', DEFAULT, 1000000000000023, 6),
	(1000000000000160, 1000000000000007, 'v-eid', 'EID', 5400, 'AABBCC', '\xaabbcc', '\xfa22dfe1da9013b3c1145040acae9089e0c08bc1c1a0719614f4b73add6f6ef5', DEFAULT, 1000000000000023, 22),
	(1000000000000161, 1000000000000007, 'v-nimloc', 'NIMLOC', 5400, 'AABBCC', '\xaabbcc', '\xfa22dfe1da9013b3c1145040acae9089e0c08bc1c1a0719614f4b73add6f6ef5', DEFAULT, 1000000000000023, 43),
	(1000000000000162, 1000000000000007, 'v-rkey', 'RKEY', 5400, '0 0 0 aaaa', '\x0000000069a69a', '\xea1f2ac720977d4c8084097bfff1d2f45da99f1749f06b97c6ff71b5fc36dfeb', DEFAULT, 1000000000000023, 53),
	(1000000000000163, 1000000000000007, 'v-zonemd', 'ZONEMD', 5400, '2019020700 1 3 DEADBEEFDEADBEEFDEADBEEF', '\x7857cf9c0103deadbeefdeadbeefdeadbeef', '\xb7886957db21e1c887011acdab8d3a2350cdc60bd39ee41fcaaed8dc5253bf1f', DEFAULT, 1000000000000023, 68),
	(1000000000000164, 1000000000000007, 'v-mg', 'MG', 5400, 'madname.vectors.example.', '\x076d61646e616d6507766563746f7273076578616d706c6500', '\x25af13bf53ff441582af0edc296636491d19298b25db42aa2f814392816a594a', DEFAULT, 1000000000000023, 37),
	(1000000000000165, 1000000000000007, 'v-mr', 'MR', 5400, 'mrname.vectors.example.', '\x066d726e616d6507766563746f7273076578616d706c6500', '\xeb71403d25b5eb48986516c2c5c5e1b19a34756da0509c4ed9b601dce2999a1f', DEFAULT, 1000000000000023, 39),
	(1000000000000166, 1000000000000007, 'v-x25', 'X25', 5400, '"123456789"', '\x09313233343536373839', '\xef532780900c4177fbc7ecafef99e791bfdff5735b16408b19829cc6e741ea8d', DEFAULT, 1000000000000023, 67),
	(1000000000000167, 1000000000000007, 'v-isdn', 'ISDN', 5400, '"isdn-address"', '\x0c6973646e2d61646472657373', '\x051ffec25a5bc64937c3f6597bb458a1b55eb18b3a445431348e90a6887ac4c8', DEFAULT, 1000000000000023, 29),
	(1000000000000168, 1000000000000007, 'v-nsap-ptr', 'NSAP-PTR', 5400, 'foo.', '\x03666f6f00', '\x6a99acc025da33422a131ea6616fa0822ff8af29835176f69810f1e1979d764e', DEFAULT, 1000000000000023, 47),
	(1000000000000169, 1000000000000007, 'v-px', 'PX', 5400, '65535 foo. bar.', '\xffff03666f6f000362617200', '\x947848c48f77036c403b358cd8071f2f690739029943510788f60758bf9857c0', DEFAULT, 1000000000000023, 51),
	(1000000000000170, 1000000000000007, 'v-gpos', 'GPOS', 5400, '"-22.6882" "116.8652" "250.0"', '\x082d32322e36383832083131362e38363532053235302e30', '\x2bbce6e664e5337e7d5ca83331a9785b5c36cfb36883961f8d18f00dd18bf14e', DEFAULT, 1000000000000023, 25),
	(1000000000000171, 1000000000000007, 'v-ninfo', 'NINFO', 5400, '"foo"', '\x03666f6f', '\x33925e3125f4b241838dbd8cdfcb1409456e5383eca0ed74997be071968f1a3b', DEFAULT, 1000000000000023, 44),
	(1000000000000172, 1000000000000007, 'v-talink', 'TALINK', 5400, '. talink1.vectors.example.', '\x000774616c696e6b3107766563746f7273076578616d706c6500', '\xd050352a754f36f2b4ea9ad3ed47b9fe56e36282e1f069d280c766078a630fde', DEFAULT, 1000000000000023, 62),
	(1000000000000173, 1000000000000007, 'v-avc', 'AVC', 5400, '"foo:bar"', '\x07666f6f3a626172', '\xc22860b02b4e703b59cf4d0355b86d0353e0d251225611882ecc4cccb97b5e4b', DEFAULT, 1000000000000023, 8),
	(1000000000000174, 1000000000000007, 'v-mb', 'MB', 5400, 'host.example.com.', '\x04686f7374076578616d706c6503636f6d00', '\x6f426d9533a08285e1b5a369997c81a2eb54598d3f3d28ae3c9a7f519ed2267e', DEFAULT, 1000000000000023, 36),
	(1000000000000175, 1000000000000007, 'v-nsap', 'NSAP', 5400, '0x47000580005A0000000001E133AAAAAA00011100', '\x47000580005a0000000001e133aaaaaa00011100', '\x537a59f48d0fef126b631f2dda4eca21341e0b1e4cb3a7f03215e0969485541f', DEFAULT, 1000000000000023, 46),
	(1000000000000176, 1000000000000007, 'v-dlv', 'DLV', 5400, '58470 5 1 3079F1593EBAD6DC121E202A8B766A6A4837206C', '\xe46605013079f1593ebad6dc121e202a8b766a6a4837206c', '\x064265d70d28753b1648c723d1efbb3e6e6c0aafa7923a6e5b21a439d17cdce1', DEFAULT, 1000000000000023, 16),
	(1000000000000177, 1000000000000007, 'v-ta', 'TA', 5400, '60485 13 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A', '\xec450d02d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a', '\x0a749283d3c7fe60fa0ff696c1110f3da147398c0a91d9f7ea2381bb2ae1569f', DEFAULT, 1000000000000023, 61),
	(1000000000000178, 1000000000000007, 'v-ds', 'NS', 5400, 'ns.example.net.', '\x026e73076578616d706c65036e657400', '\xf1d073afaa431a6d4a7d876fc6914ba8a641a9650112852c55714017bd62b933', DEFAULT, 1000000000000023, 20),
	(1000000000000180, 1000000000000008, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000024, 2),
	(1000000000000181, 1000000000000008, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000024, 3),
	(1000000000000182, 1000000000000008, 'www', 'CNAME', 3600, 'xn--bcher-kva.example.', '\x0d786e2d2d62636865722d6b7661076578616d706c6500', '\xaeb0ee7fd8168532f2e5b94adcc65119e83597d82c8f56c2ce83e213c1f6bbe2', DEFAULT, 1000000000000024, 4),
	(1000000000000183, 1000000000000008, 'xn--strae-oqa', 'A', 300, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000025, 3),
	(1000000000000184, 1000000000000008, 'xn--t-9fab.xn--bcher-kva', 'AAAA', 300, '2001:db8::5', '\x20010db8000000000000000000000005', '\x91ad174ac43c0b956502ac592410402166b7ac314f4b3f8fed66439fb3c78874', DEFAULT, 1000000000000025, 4),
	(1000000000000185, 1000000000000008, 'xn--53h', 'CNAME', 300, 'xn--kse-qla.xn--bcher-kva.example.', '\x0b786e2d2d6b73652d716c610d786e2d2d62636865722d6b7661076578616d706c6500', '\x44613fe1d5eb10ed1a4511dd13b89e8f0af5458311515c587ec19a2617c1c30d', DEFAULT, 1000000000000025, 5),
	(1000000000000186, 1000000000000008, '@', 'MX', 300, '10 post.xn--bcher-kva.example.', '\x000a04706f73740d786e2d2d62636865722d6b7661076578616d706c6500', '\x419bb488023c8e32b8d91cf9f87f90c1ce4668bd74b273de5782a051193c86ea', DEFAULT, 1000000000000025, 6),
	(1000000000000495, 1000000000000042, '@', 'NS', 0, 'invalid.', '\x07696e76616c696400', '\x283283a73a89f963629281c91b0b5be6aabedf33b1faf564a42d312fd259f1c2', DEFAULT, 1000000000000088, 2),
	(1000000000000188, 1000000000000009, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000026, 2),
	(1000000000000189, 1000000000000009, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000026, 3),
	(1000000000000190, 1000000000000009, 'www', 'CNAME', 3600, 'names.example.', '\x056e616d6573076578616d706c6500', '\xaf3b8e65228b7a60d46864b6625f10a94f981d3b169819f69ec2a06d724e170d', DEFAULT, 1000000000000026, 4),
	(1000000000000191, 1000000000000009, '*', 'A', 300, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000027, 3),
	(1000000000000192, 1000000000000009, '*.deep', 'TXT', 300, '"wildcard"', '\x0877696c6463617264', '\xdab4fff3fc318bbad6814f8af7293ec85f3bf93743f2ad5b6f29ae72c6a1615d', DEFAULT, 1000000000000027, 4),
	(1000000000000193, 1000000000000009, 'a.*.b', 'A', 300, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000027, 5),
	(1000000000000194, 1000000000000009, '_sip._tcp', 'SRV', 300, '0 5 5060 sip.example.net.', '\x0000000513c403736970076578616d706c65036e657400', '\x81e991b7557d43981536db90ec91d58e839b0363570514aa7afc637ab1833380', DEFAULT, 1000000000000027, 6),
	(1000000000000195, 1000000000000009, 'dot\046in.label', 'A', 300, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000027, 7),
	(1000000000000196, 1000000000000009, 'blank\032in', 'A', 300, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000027, 8),
	(1000000000000197, 1000000000000009, 'nul\000and\255', 'A', 300, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000027, 9),
	(1000000000000198, 1000000000000009, 'quote\034semi\059at\064', 'A', 300, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000027, 10),
	(1000000000000199, 1000000000000009, 'back\092slash', 'A', 300, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000027, 11),
	(1000000000000200, 1000000000000009, 'upper', 'CNAME', 300, 'Target.Example.NET.', '\x06546172676574074578616d706c65034e455400', '\xf948f1fcfc4d566f28f9213ba1f9a5c85fb9dde2cfa1cdb06567011a9cedde6f', DEFAULT, 1000000000000027, 12),
	(1000000000000201, 1000000000000009, 'lllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll', 'A', 300, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000027, 13),
	(1000000000000269, 1000000000000012, 'many', 'A', 60, '198.51.100.41', '\xc6336429', '\x92baa1d311ea9583a57bb12d747e80e8344a4e20fefc718d766af0951c7f5fde', DEFAULT, 1000000000000033, 44);
INSERT INTO public.zone_record VALUES
	(1000000000000270, 1000000000000012, 'many', 'A', 60, '198.51.100.42', '\xc633642a', '\x05644dc719df46f70bbba59e2c1c1f25b17227c3bc3c73d6b067c483a79487ba', DEFAULT, 1000000000000033, 45),
	(1000000000000496, 1000000000000042, 'version', 'TXT', 0, '"2"', '\x0132', '\x7f774bb46e7e342a2d9d0514b27cee622012f7415645345054f8cd31e1dda661', DEFAULT, 1000000000000088, 3),
	(1000000000000274, 1000000000000012, 'many', 'A', 60, '198.51.100.46', '\xc633642e', '\x5760925fad4e7b571fa75e1ba84982fc0928b68918e454c536305199ef2faf67', DEFAULT, 1000000000000033, 49),
	(1000000000000275, 1000000000000012, 'many', 'A', 60, '198.51.100.47', '\xc633642f', '\x0efd692b31903d825e9a36b98d949696a6079fa7dc80d904b707f4cd6757b726', DEFAULT, 1000000000000033, 50),
	(1000000000000276, 1000000000000012, 'many', 'A', 60, '198.51.100.48', '\xc6336430', '\xd28e2206f1e31ce6fa7b62688b42114b81800e1996ae8df3d6ef4d9d8098af97', DEFAULT, 1000000000000033, 51),
	(1000000000000277, 1000000000000012, 'many', 'A', 60, '198.51.100.49', '\xc6336431', '\xeeebb47169f5c5792f0a09c94d8a34048ce597d3af1a00e16a9af6f4805b00c4', DEFAULT, 1000000000000033, 52),
	(1000000000000264, 1000000000000012, 'many', 'A', 60, '198.51.100.36', '\xc6336424', '\xa22a36e9dcbff47e8d74dd244b9d38315e1c19f69cb50876528aced9d5dc0d4f', DEFAULT, 1000000000000033, 39),
	(1000000000000265, 1000000000000012, 'many', 'A', 60, '198.51.100.37', '\xc6336425', '\x955cb726995eaab807b78df99dbbf01a0b5153df913a9b4084083fa81ac00bde', DEFAULT, 1000000000000033, 40),
	(1000000000000202, 1000000000000009, 'lllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll.lllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll.lllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll.mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm', 'A', 300, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000027, 14),
	(1000000000000203, 1000000000000009, 'a.b.c.d.e.f.g.h', 'A', 300, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000027, 15),
	(1000000000000205, 1000000000000010, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000028, 2),
	(1000000000000206, 1000000000000010, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000028, 3),
	(1000000000000207, 1000000000000010, 'www', 'CNAME', 3600, '0/25.2.0.192.in-addr.arpa.', '\x04302f3235013201300331393207696e2d61646472046172706100', '\xc0d1d976ca5dfd28d0b2af5f07b9343ca56a9bb56a5f5981624bed27ccd51bc0', DEFAULT, 1000000000000028, 4),
	(1000000000000208, 1000000000000010, '1', 'PTR', 300, 'a\046b.example.net.', '\x03612e62076578616d706c65036e657400', '\xee53af17c3404372d577915d46205a52fdc73a85e2458f587c1b01577324873a', DEFAULT, 1000000000000029, 3),
	(1000000000000497, 1000000000000042, '0f8b07aa-c38f-468a-a410-482cf8cd4710.zones', 'PTR', 0, '0/25.2.0.192.in-addr.arpa.', '\x04302f3235013201300331393207696e2d61646472046172706100', '\xc0d1d976ca5dfd28d0b2af5f07b9343ca56a9bb56a5f5981624bed27ccd51bc0', DEFAULT, 1000000000000089, 3),
	(1000000000000210, 1000000000000011, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000030, 2),
	(1000000000000211, 1000000000000011, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000030, 3),
	(1000000000000212, 1000000000000011, 'www', 'CNAME', 3600, 'data.example.', '\x0464617461076578616d706c6500', '\x5edf1d8d7447a0896887cd7d4f7bb729a2a3b197a3c86225ac46e1d6e299b9da', DEFAULT, 1000000000000030, 4),
	(1000000000000498, 1000000000000042, '88794460-ed3a-4bd9-bb3e-15fb77215aaf.zones', 'PTR', 0, '2.0.192.in-addr.arpa.', '\x013201300331393207696e2d61646472046172706100', '\xc756a50303ea92700ac25be61b9c85ebf1a222a990f58df86449096d086a5034', DEFAULT, 1000000000000089, 4),
	(1000000000000225, 1000000000000012, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000032, 2),
	(1000000000000226, 1000000000000012, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000032, 3),
	(1000000000000227, 1000000000000012, 'www', 'CNAME', 3600, 'many.example.', '\x046d616e79076578616d706c6500', '\x882d5fcfb83199d56415bd0ac8716afa75e4260d16e776844f54aeff08fb75a9', DEFAULT, 1000000000000032, 4),
	(1000000000000228, 1000000000000012, 'many', 'A', 60, '198.51.100.0', '\xc6336400', '\xcaeffeddf0aacfd36007731dad44f50b95439f0c567e4bd5f5dee3b070e7ab80', DEFAULT, 1000000000000033, 3),
	(1000000000000229, 1000000000000012, 'many', 'A', 60, '198.51.100.1', '\xc6336401', '\xf9c3ffd9e1491745c090ee327421793f5ca2624dc81d9859ad4af48b545e1ce8', DEFAULT, 1000000000000033, 4),
	(1000000000000230, 1000000000000012, 'many', 'A', 60, '198.51.100.2', '\xc6336402', '\xf8d230dde4ab96073ad169eda1fd41e5b6c1da3f6fd277735e90717d2c3a72fb', DEFAULT, 1000000000000033, 5),
	(1000000000000231, 1000000000000012, 'many', 'A', 60, '198.51.100.3', '\xc6336403', '\xd74ffddc4e84530b734dddbd8956d71456a8b1918ba7254e78607ae37baa75ac', DEFAULT, 1000000000000033, 6),
	(1000000000000232, 1000000000000012, 'many', 'A', 60, '198.51.100.4', '\xc6336404', '\x26bb0d1e10491846a25632feee4cc66d5973300a919e6552e8f85fdb0127b14b', DEFAULT, 1000000000000033, 7),
	(1000000000000233, 1000000000000012, 'many', 'A', 60, '198.51.100.5', '\xc6336405', '\xe55477bbaca4ea104ea20906bc83efe74ee01066a9c81a12778a1ba8152998f5', DEFAULT, 1000000000000033, 8),
	(1000000000000234, 1000000000000012, 'many', 'A', 60, '198.51.100.6', '\xc6336406', '\x3d0d6d3ce5e872adcfe392c34cdb1b64b73d00a2fbdcf5007d25c856d76d95e5', DEFAULT, 1000000000000033, 9),
	(1000000000000235, 1000000000000012, 'many', 'A', 60, '198.51.100.7', '\xc6336407', '\x75b13f181cda89fa63f3ecfde7a385cb2ca9ce675b3605729598df5bd8088253', DEFAULT, 1000000000000033, 10),
	(1000000000000236, 1000000000000012, 'many', 'A', 60, '198.51.100.8', '\xc6336408', '\xdae71154d70fb15282af84104a63dfbd1b8ee084211694105a57e03a58913630', DEFAULT, 1000000000000033, 11),
	(1000000000000237, 1000000000000012, 'many', 'A', 60, '198.51.100.9', '\xc6336409', '\xf2b10981f0d69df46f73193e281e11a0cc6991820d21991fe0e051f225e61313', DEFAULT, 1000000000000033, 12),
	(1000000000000238, 1000000000000012, 'many', 'A', 60, '198.51.100.10', '\xc633640a', '\xb7a7b842e84245db6eafa40ea38ea63f8b996cc4bfec6ef5bc503cf46e0a5868', DEFAULT, 1000000000000033, 13),
	(1000000000000239, 1000000000000012, 'many', 'A', 60, '198.51.100.11', '\xc633640b', '\xfdf907b622e9671f3280452d6c98d3cae1d891d1a03a4b2e2e69e643b9743b7a', DEFAULT, 1000000000000033, 14),
	(1000000000000240, 1000000000000012, 'many', 'A', 60, '198.51.100.12', '\xc633640c', '\xb1294ca174ecc5e48efc9da5741313985456d32f4e51a2f45da85907af8204e2', DEFAULT, 1000000000000033, 15),
	(1000000000000241, 1000000000000012, 'many', 'A', 60, '198.51.100.13', '\xc633640d', '\x6c610a90b8f5755d80e313d7481b8017abd73ed5b6ef83c25f024c9efbb341d8', DEFAULT, 1000000000000033, 16),
	(1000000000000242, 1000000000000012, 'many', 'A', 60, '198.51.100.14', '\xc633640e', '\x1ea11df5f0d5c21074f256a9cacf3898673a8f755132b6eb3f23bc22782748e3', DEFAULT, 1000000000000033, 17),
	(1000000000000243, 1000000000000012, 'many', 'A', 60, '198.51.100.15', '\xc633640f', '\xb378f223a1b2dc988ed2b85b4775a5b5c53d5e6fb45afc9b4a12e6ce352e72b2', DEFAULT, 1000000000000033, 18),
	(1000000000000244, 1000000000000012, 'many', 'A', 60, '198.51.100.16', '\xc6336410', '\xa9461e8e338868836df8fd3992a8a4d44c105d20d3352c06fa344fcee45fad39', DEFAULT, 1000000000000033, 19),
	(1000000000000245, 1000000000000012, 'many', 'A', 60, '198.51.100.17', '\xc6336411', '\xc159d5ee7120fc4fb83d0a9240a0304f616817b672702d23541e6f6467590eca', DEFAULT, 1000000000000033, 20),
	(1000000000000246, 1000000000000012, 'many', 'A', 60, '198.51.100.18', '\xc6336412', '\xf28ac46c805133bc4702ab475e900d9c7f5264b300cf0086c3729cd78e49f52b', DEFAULT, 1000000000000033, 21),
	(1000000000000247, 1000000000000012, 'many', 'A', 60, '198.51.100.19', '\xc6336413', '\xb63874cc273b588198f85f7195baf03b0aef882a387d611609840dc029b8b72a', DEFAULT, 1000000000000033, 22),
	(1000000000000248, 1000000000000012, 'many', 'A', 60, '198.51.100.20', '\xc6336414', '\x5143ed392c402c14e9ecc43ac979055f666c1746355b0af1f0d8fd817ab1371d', DEFAULT, 1000000000000033, 23),
	(1000000000000249, 1000000000000012, 'many', 'A', 60, '198.51.100.21', '\xc6336415', '\xd6f57fa529b5c8a2ed5dc62a377658ca4678c750056a628fb30c842f99b2746c', DEFAULT, 1000000000000033, 24),
	(1000000000000250, 1000000000000012, 'many', 'A', 60, '198.51.100.22', '\xc6336416', '\x93cb9bd0a9d287acf27fd33da530999448ade18f2fc0db650e025bd1318b9889', DEFAULT, 1000000000000033, 25),
	(1000000000000251, 1000000000000012, 'many', 'A', 60, '198.51.100.23', '\xc6336417', '\x6c76609080e72b481dff0955488906d0372067ab94862f2296ff96e8673a8ab5', DEFAULT, 1000000000000033, 26),
	(1000000000000252, 1000000000000012, 'many', 'A', 60, '198.51.100.24', '\xc6336418', '\x163620b17109438b777b4cafcc76a9ad286182afdb1388f8faeb6a360f58e965', DEFAULT, 1000000000000033, 27),
	(1000000000000253, 1000000000000012, 'many', 'A', 60, '198.51.100.25', '\xc6336419', '\xa2ad0fdf49d3d22f5b6b29ac8037faa9a065ca230b9c682e47fc90dfa62f2260', DEFAULT, 1000000000000033, 28),
	(1000000000000254, 1000000000000012, 'many', 'A', 60, '198.51.100.26', '\xc633641a', '\xefe6f7fc93c601e8615aae1324be44a327fe6817ca00b9d8281999829d1172a5', DEFAULT, 1000000000000033, 29),
	(1000000000000255, 1000000000000012, 'many', 'A', 60, '198.51.100.27', '\xc633641b', '\xf503f0b4e3441992bd9c7555336db447cea7ca100c651b2c2944539f7d77f810', DEFAULT, 1000000000000033, 30),
	(1000000000000256, 1000000000000012, 'many', 'A', 60, '198.51.100.28', '\xc633641c', '\xf78507cc2d88c87e727f29caed0897507911da1d951eaf5b392d8e5aca7b6322', DEFAULT, 1000000000000033, 31),
	(1000000000000257, 1000000000000012, 'many', 'A', 60, '198.51.100.29', '\xc633641d', '\x784c5648341730887f39c53013a7a0baecbd90e885899c8f62ecc62420482f4a', DEFAULT, 1000000000000033, 32),
	(1000000000000258, 1000000000000012, 'many', 'A', 60, '198.51.100.30', '\xc633641e', '\x9acb9a929bbf4611aa1a2fa26a35d9ee83195eaae53e28c533f0686c559f725e', DEFAULT, 1000000000000033, 33),
	(1000000000000259, 1000000000000012, 'many', 'A', 60, '198.51.100.31', '\xc633641f', '\xcc6ab4c73891ea9bc6c70509664a2fd268b6409a994f8ebb997dcedea1fe078f', DEFAULT, 1000000000000033, 34),
	(1000000000000260, 1000000000000012, 'many', 'A', 60, '198.51.100.32', '\xc6336420', '\xf3cce9538472b98af50b32acbae270ee9e513a0f1b63bbb7bdde484d668ad4b0', DEFAULT, 1000000000000033, 35),
	(1000000000000261, 1000000000000012, 'many', 'A', 60, '198.51.100.33', '\xc6336421', '\x4fc5dbf06c1b7460a81e3d3d13e1ae1cfbd253354d9b8dbed167c51d2b435b84', DEFAULT, 1000000000000033, 36),
	(1000000000000262, 1000000000000012, 'many', 'A', 60, '198.51.100.34', '\xc6336422', '\x1948b730ca648f6f93d787321c2d0f6c158fdc0e23457537295773ca3dd25985', DEFAULT, 1000000000000033, 37),
	(1000000000000266, 1000000000000012, 'many', 'A', 60, '198.51.100.38', '\xc6336426', '\x97f829dc9dd3c1b39ff69d2e1c9bb278e76b49508cd24ecc3ed9d446e8528276', DEFAULT, 1000000000000033, 41),
	(1000000000000267, 1000000000000012, 'many', 'A', 60, '198.51.100.39', '\xc6336427', '\x6969c8a120988e0ee6d48bcf1a9101d90ae8218b3815e25ef3a2a42628b714a3', DEFAULT, 1000000000000033, 42),
	(1000000000000278, 1000000000000012, 'many', 'A', 60, '198.51.100.50', '\xc6336432', '\x5a64a84047a3905db287291cf74b4e43fe5d2fc5755c734a23ec512642b07f81', DEFAULT, 1000000000000033, 53),
	(1000000000000279, 1000000000000012, 'many', 'A', 60, '198.51.100.51', '\xc6336433', '\x7f9a7263b86b7a04380850215fb16d792190890f1506cd75c0ff4d7aca0630f2', DEFAULT, 1000000000000033, 54),
	(1000000000000219, 1000000000000011, 'text', 'TXT', 300, '"long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long " "long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long"', '\xff6c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e6720f46c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67206c6f6e67', '\x1f0561f86e571026fdb7b88609548826e2f113a3e0f7a5290fd21fdfb71771bd', DEFAULT, 1000000000000031, 9),
	(1000000000000220, 1000000000000011, 'text', 'TXT', 300, '"v=DMARC1; p=none"', '\x10763d444d415243313b20703d6e6f6e65', '\xa9083f9644e02367172dfa6b09aaa8da2cf0e1728b5c9c533067dcb8cb472c0c', DEFAULT, 1000000000000031, 10),
	(1000000000000221, 1000000000000011, 'null-mx', 'MX', 300, '0 .', '\x000000', '\x709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c', DEFAULT, 1000000000000031, 11),
	(1000000000000222, 1000000000000011, 'svc', 'HTTPS', 300, '0 alias.example.net.', '\x000005616c696173076578616d706c65036e657400', '\xecd7cc2a4426b99a457191163a6e3f157ff6937108e090ffce742e7a9abf1553', DEFAULT, 1000000000000031, 12),
	(1000000000000223, 1000000000000011, 'svc2', 'HTTPS', 300, '1 . alpn="h2,h3" port=8443 ipv4hint=192.0.2.1 key65000="x"', '\x000100000100060268320268330003000220fb00040004c0000201fde8000178', '\xdf35123cac563c806670579130529d67cec029ebb196ece1b867d7cd2223cfdb', DEFAULT, 1000000000000031, 13),
	(1000000000000368, 1000000000000013, 'after', 'A', 300, '192.0.2.6', '\xc0000206', '\xb3c17c4652f26d616df22eb48ad16f57f7add1e7e900abe6749d2dfd551f6cfc', DEFAULT, 1000000000000038, 3),
	(1000000000000499, 1000000000000042, '559005c9-7e73-4f73-8eda-00b85695c62c.zones', 'PTR', 0, '8.b.d.0.1.0.0.2.ip6.arpa.', '\x0138016201640130013101300130013203697036046172706100', '\xdd7a7196358fce2bc254ba7090c1824d3272c1afdf955a0e566f7f0830cfd796', DEFAULT, 1000000000000089, 5),
	(1000000000000378, 1000000000000016, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000044, 2),
	(1000000000000379, 1000000000000016, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000044, 3),
	(1000000000000380, 1000000000000016, 'www', 'CNAME', 3600, 'serial-around.example.', '\x0d73657269616c2d61726f756e64076578616d706c6500', '\x23ff92112dcb31fca5dfff4294478ff79f2c3da37abb9d0a6009f906cc497980', DEFAULT, 1000000000000044, 4),
	(1000000000000500, 1000000000000042, '52c9b657-b278-42b4-b359-60dc2b8267dd.zones', 'PTR', 0, 'again.example.', '\x05616761696e076578616d706c6500', '\x1d9d656a76d404ad94933ec1ab03df304fc5c2fc0160c047c119d27299d868a2', DEFAULT, 1000000000000089, 6),
	(1000000000000501, 1000000000000042, '14424f56-9e81-44a2-b6aa-0274b6f330f1.zones', 'PTR', 0, 'ahead.example.', '\x056168656164076578616d706c6500', '\x54979e77a38f14f2b4dc3377320f2f2f1f6f0412de745e50965727d882c81b3a', DEFAULT, 1000000000000089, 7),
	(1000000000000382, 1000000000000017, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000047, 2),
	(1000000000000383, 1000000000000017, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000047, 3),
	(1000000000000384, 1000000000000017, 'www', 'CNAME', 3600, 'serial-wrapped.example.', '\x0e73657269616c2d77726170706564076578616d706c6500', '\x7386e9557d8247f527bbf4c722f645d9c7495671f5412131c450197c1d866fda', DEFAULT, 1000000000000047, 4),
	(1000000000000503, 1000000000000042, '2f1543bd-e2e0-4e5f-b661-e5cefe412c7e.zones', 'PTR', 0, 'bob.example.com.', '\x03626f62076578616d706c6503636f6d00', '\xe9ef279046897a5e22f0555b17151860c789dfc2625462247d80116fa52f6ef8', DEFAULT, 1000000000000089, 9),
	(1000000000000504, 1000000000000042, 'b1cf941c-6a5f-4766-bc95-61b44b6028b1.zones', 'PTR', 0, 'data.example.', '\x0464617461076578616d706c6500', '\x5edf1d8d7447a0896887cd7d4f7bb729a2a3b197a3c86225ac46e1d6e299b9da', DEFAULT, 1000000000000089, 10),
	(1000000000000385, 1000000000000016, 'a', 'A', 300, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000050, 3),
	(1000000000000505, 1000000000000042, 'bbda6337-4bf1-4c79-ab7b-24a7aa78cf18.zones', 'PTR', 0, 'erin1.example.', '\x056572696e31076578616d706c6500', '\xd3e5cacc4dc7c6333c337d646542b0904d4f74f433319248ad2b8dd6be6e7da9', DEFAULT, 1000000000000089, 11),
	(1000000000000506, 1000000000000042, '2a9548d8-5e02-4832-acfd-0b199c5b6e51.zones', 'PTR', 0, 'erin10.example.', '\x066572696e3130076578616d706c6500', '\x5e57f4b46cd40d1aca25c9bce8a46862c6ceb59bd5fe54e94053c9244d613459', DEFAULT, 1000000000000089, 12),
	(1000000000000507, 1000000000000042, '2834ace1-cb41-4658-8e18-15145fac2968.zones', 'PTR', 0, 'erin11.example.', '\x066572696e3131076578616d706c6500', '\x77a243a9e3f869ba8e15307ef3f85a8fc6f4f12303dce90e02c5cada06089e5a', DEFAULT, 1000000000000089, 13),
	(1000000000000508, 1000000000000042, 'eb00ae10-e990-44af-bb29-f8a802eb8c81.zones', 'PTR', 0, 'erin12.example.', '\x066572696e3132076578616d706c6500', '\x227ade1806cf7d167990771af0c0774b4f002ee4c497ec9082b5bcc0de972a78', DEFAULT, 1000000000000089, 14),
	(1000000000000509, 1000000000000042, '5089dd55-5afe-4fb0-a5b6-eb998de77025.zones', 'PTR', 0, 'erin2.example.', '\x056572696e32076578616d706c6500', '\x0eafab0d1483fecffa4adc060ff217637a50c939c460ef1659ac05ee60b45320', DEFAULT, 1000000000000089, 15),
	(1000000000000510, 1000000000000042, '8fc2a9f0-07c7-4043-ad14-1f0d95e176b6.zones', 'PTR', 0, 'erin3.example.', '\x056572696e33076578616d706c6500', '\xbc8bfc41cbc38251309681858acbe3537cf40b7190f59440985e3afb64b1268d', DEFAULT, 1000000000000089, 16),
	(1000000000000511, 1000000000000042, 'e44a395f-d52a-4132-8439-7800e36a71fd.zones', 'PTR', 0, 'erin4.example.', '\x056572696e34076578616d706c6500', '\xf464f2ba780729151a0dafd85d89dfbc9beacf672932dd3f0595502c512a2aa8', DEFAULT, 1000000000000089, 17),
	(1000000000000512, 1000000000000042, 'a47fe201-d095-45fa-8124-afdde3f27a8b.zones', 'PTR', 0, 'erin5.example.', '\x056572696e35076578616d706c6500', '\x3fa763db816ef28746083afa8598fd4a0a912474c8c4c6b5b38fe0d73a9feed0', DEFAULT, 1000000000000089, 18),
	(1000000000000407, 1000000000000021, 'a', 'A', 300, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000063, 3),
	(1000000000000513, 1000000000000042, '8fa914d6-0c67-4a15-b095-0d8a752c69b7.zones', 'PTR', 0, 'erin6.example.', '\x056572696e36076578616d706c6500', '\x1da3c6ecbbe98906ad522e4440508bce85451fc475d3b863d462e38df8c0baf9', DEFAULT, 1000000000000089, 19),
	(1000000000000514, 1000000000000042, '5828edd1-79cb-4608-81b1-af865c38bb5e.zones', 'PTR', 0, 'erin7.example.', '\x056572696e37076578616d706c6500', '\xf2bc13150a46d0650f4b87b1a879fa8bcd3a53600162012fb8821c724a184777', DEFAULT, 1000000000000089, 20),
	(1000000000000515, 1000000000000042, '12ef3382-45cf-4498-8ebe-60952411b86e.zones', 'PTR', 0, 'erin8.example.', '\x056572696e38076578616d706c6500', '\x9a969f75abd09bb22c259b6d9b551e796f11bcd4d099bcd5ea6b8dfbd59201d0', DEFAULT, 1000000000000089, 21),
	(1000000000000516, 1000000000000042, '64f21fd0-bb16-4520-9386-395bc1afbb76.zones', 'PTR', 0, 'erin9.example.', '\x056572696e39076578616d706c6500', '\xccf235c05e01fa444bb794a96a8d18433f5560716b2acbeb79e8d1a33b91fa50', DEFAULT, 1000000000000089, 22),
	(1000000000000517, 1000000000000042, 'fc3620b3-c325-4e1b-8e19-0990dd1b0e65.zones', 'PTR', 0, 'example.com.', '\x076578616d706c6503636f6d00', '\x902e9c464fa43fcab109d1a6b95ddf83338a8cbc3a52b4fbfe1a9d85f2246d0f', DEFAULT, 1000000000000089, 23),
	(1000000000000518, 1000000000000042, 'b57d01d2-ba0c-4bd2-af13-6203e118b489.zones', 'PTR', 0, 'imported.example.', '\x08696d706f72746564076578616d706c6500', '\x8695563a4216dd957232c9e53f564709ee2231305d43246b12609f6f93440a5b', DEFAULT, 1000000000000089, 24),
	(1000000000000520, 1000000000000042, '75c6f07f-5b59-4a2c-91ac-09a570aeb373.zones', 'PTR', 0, 'late.example.', '\x046c617465076578616d706c6500', '\xf541d15c97f94de6f3415c555848d3160340d88f5cc1716018b6139132658334', DEFAULT, 1000000000000089, 26),
	(1000000000000537, 1000000000000022, 'sealed', 'A', 300, '192.0.2.9', '\xc0000209', '\xb72e102b5e93441e9c322aff78cc8575a44402d4431fa2497101c80b4aae6185', DEFAULT, 1000000000000091, 3),
	(1000000000000271, 1000000000000012, 'many', 'A', 60, '198.51.100.43', '\xc633642b', '\x5a2e12d40b78bb3d6dd57e90a883a158191747682c289c240c73f6b1cb00c8ef', DEFAULT, 1000000000000033, 46),
	(1000000000000272, 1000000000000012, 'many', 'A', 60, '198.51.100.44', '\xc633642c', '\x91d01ce7243f0989eb86fa59a03b5c12735ed1ead78cc3815a5fd43479b76eca', DEFAULT, 1000000000000033, 47),
	(1000000000000273, 1000000000000012, 'many', 'A', 60, '198.51.100.45', '\xc633642d', '\x7933389b774307aeaf17a96f35ea8861e43bbb045cb3b369a13c63efae5751e2', DEFAULT, 1000000000000033, 48),
	(1000000000000280, 1000000000000012, 'many', 'A', 60, '198.51.100.52', '\xc6336434', '\xb098513bde90b72cd368e700380c3951a190716b2185c6e79c75de8e1342ec3e', DEFAULT, 1000000000000033, 55);
INSERT INTO public.zone_record VALUES
	(1000000000000281, 1000000000000012, 'many', 'A', 60, '198.51.100.53', '\xc6336435', '\xf43278fe9e63e02a509f4c1b4d8471e0d428bee5d176576d15351af364d97f02', DEFAULT, 1000000000000033, 56),
	(1000000000000282, 1000000000000012, 'many', 'A', 60, '198.51.100.54', '\xc6336436', '\xab903a4a5b1cbe77249e64e657ce3b7d8dfbbecfe779665bd2618c1867b0d192', DEFAULT, 1000000000000033, 57),
	(1000000000000283, 1000000000000012, 'many', 'A', 60, '198.51.100.55', '\xc6336437', '\x473cd76defc3c7d4a18f2f0e5032355882086d173e1386f166d24f515d74e719', DEFAULT, 1000000000000033, 58),
	(1000000000000284, 1000000000000012, 'many', 'A', 60, '198.51.100.56', '\xc6336438', '\x3aa26e2efe4206458581718c3e73d88192bbc46000bef88e6b4b63c49b68cf7f', DEFAULT, 1000000000000033, 59),
	(1000000000000285, 1000000000000012, 'many', 'A', 60, '198.51.100.57', '\xc6336439', '\xed47947788f3b138ed18e6c80b767834b93eb5754be94de68054b96101637ddc', DEFAULT, 1000000000000033, 60),
	(1000000000000286, 1000000000000012, 'many', 'A', 60, '198.51.100.58', '\xc633643a', '\x6d2e6e0307a896e00f971d8182f2dc015653272f07faeeb613bc365a22ab5e68', DEFAULT, 1000000000000033, 61),
	(1000000000000287, 1000000000000012, 'many', 'A', 60, '198.51.100.59', '\xc633643b', '\x20ad0a74e97da986beee0030ea61d09fe618605d6493dd43fc17b51274a0e451', DEFAULT, 1000000000000033, 62),
	(1000000000000288, 1000000000000012, 'many', 'A', 60, '198.51.100.60', '\xc633643c', '\xe7c2556f643fdc3d417cbe61b9d6023b85241f198a4ae6950a0632dbae62abd0', DEFAULT, 1000000000000033, 63),
	(1000000000000289, 1000000000000012, 'many', 'A', 60, '198.51.100.61', '\xc633643d', '\x084f91a5858d1b40f7f656a802dd573f46d8c05b9ebdf02538222ebcd6d44551', DEFAULT, 1000000000000033, 64),
	(1000000000000290, 1000000000000012, 'many', 'A', 60, '198.51.100.62', '\xc633643e', '\xd9aadb49d282ed46a6398365f98ea2d83b0426d28ae5f1148963612851cae3c9', DEFAULT, 1000000000000033, 65),
	(1000000000000291, 1000000000000012, 'many', 'A', 60, '198.51.100.63', '\xc633643f', '\xf55a34b06a9ceeed57143fa02148a83bc93228da6a6a37747f597b05c86d4b48', DEFAULT, 1000000000000033, 66),
	(1000000000000292, 1000000000000012, 'many', 'A', 60, '198.51.100.64', '\xc6336440', '\x42c1388f78e5239932fe0c946fa169f535d4706122bc2b7baa2db39b7f1bcc43', DEFAULT, 1000000000000033, 67),
	(1000000000000293, 1000000000000012, 'many', 'A', 60, '198.51.100.65', '\xc6336441', '\x0fbffdb5f8682538817229dc072879a31ae6adb6fef64d2a71a37ab0bfa954f4', DEFAULT, 1000000000000033, 68),
	(1000000000000294, 1000000000000012, 'many', 'A', 60, '198.51.100.66', '\xc6336442', '\x1d9c877cf1432fa88b3b7d4c9df033fa272a7bd35f7837ce8a8114402b5c26fd', DEFAULT, 1000000000000033, 69),
	(1000000000000295, 1000000000000012, 'many', 'A', 60, '198.51.100.67', '\xc6336443', '\x07443940ff434c8254bad4ccfa2c303dc05c11b16eecc137f9f514a36c6fdf8d', DEFAULT, 1000000000000033, 70),
	(1000000000000296, 1000000000000012, 'many', 'A', 60, '198.51.100.68', '\xc6336444', '\xfd6dc1320e58aeca7f379c189e1f40add6eaf176a5e56cf60c652200e4e39570', DEFAULT, 1000000000000033, 71),
	(1000000000000297, 1000000000000012, 'many', 'A', 60, '198.51.100.69', '\xc6336445', '\x3c98af333988129783be59236b81d3e00a3f07e3558e27def016b78d90f78668', DEFAULT, 1000000000000033, 72),
	(1000000000000298, 1000000000000012, 'many', 'A', 60, '198.51.100.70', '\xc6336446', '\x717792ad251cb2ba69e26c24b72d85437e8bdfbd3d474af5fbc3243c3aa24a1d', DEFAULT, 1000000000000033, 73),
	(1000000000000299, 1000000000000012, 'many', 'A', 60, '198.51.100.71', '\xc6336447', '\x0734e23aa965f664e0cf2befd3d808f0fbe50bfd70ecf21b8478970d9ef5ad9c', DEFAULT, 1000000000000033, 74),
	(1000000000000300, 1000000000000012, 'many', 'A', 60, '198.51.100.72', '\xc6336448', '\x53a17460445fb14d67f33bad5d907c306acece801fc5ce170ae3eca53333830a', DEFAULT, 1000000000000033, 75),
	(1000000000000301, 1000000000000012, 'many', 'A', 60, '198.51.100.73', '\xc6336449', '\x9457d23d4a654d46c898e91b97d2980ca170de9af47fd8904f45da42c4644c83', DEFAULT, 1000000000000033, 76),
	(1000000000000302, 1000000000000012, 'many', 'A', 60, '198.51.100.74', '\xc633644a', '\x95f46e5c001ad0308f10ba6bb34092ffebd1c55d756def010139c613791427d8', DEFAULT, 1000000000000033, 77),
	(1000000000000303, 1000000000000012, 'many', 'A', 60, '198.51.100.75', '\xc633644b', '\x2639451dc8f2bb1b37c70388c412fa0a867989daec57fc1b72fd7875a7db9053', DEFAULT, 1000000000000033, 78),
	(1000000000000304, 1000000000000012, 'many', 'A', 60, '198.51.100.76', '\xc633644c', '\xd030e53f60994a01b63d9c97235c19c6e5a300032145dc71bf49213b78f250c8', DEFAULT, 1000000000000033, 79),
	(1000000000000305, 1000000000000012, 'many', 'A', 60, '198.51.100.77', '\xc633644d', '\xc3a2b2fc0f87bb773682b0a4a10cda9435c41cab7ca3d4fb288819a045c5b8a3', DEFAULT, 1000000000000033, 80),
	(1000000000000306, 1000000000000012, 'many', 'A', 60, '198.51.100.78', '\xc633644e', '\x35941976310f8a3438474ecffb365cdb0100a37aeebc77f2cf06aecb36202566', DEFAULT, 1000000000000033, 81),
	(1000000000000307, 1000000000000012, 'many', 'A', 60, '198.51.100.79', '\xc633644f', '\x14115409554b730fd45193fc0e2fc5fdecb989839d5510c8804dc0ee3c7ed416', DEFAULT, 1000000000000033, 82),
	(1000000000000308, 1000000000000012, 'many', 'A', 60, '198.51.100.80', '\xc6336450', '\x9d1983066aee35db14f3139ccccd22e822a7bed4fb1d852b925e3b647d8bcd27', DEFAULT, 1000000000000033, 83),
	(1000000000000309, 1000000000000012, 'many', 'A', 60, '198.51.100.81', '\xc6336451', '\xa9b4edb5e721efceca6562ca0f77a468afc646e0d537baf8560bfc8bfa882c44', DEFAULT, 1000000000000033, 84),
	(1000000000000310, 1000000000000012, 'many', 'A', 60, '198.51.100.82', '\xc6336452', '\x8c13ade9fc384cd8f4795540da66efa2e3b5b1549656c74cf862f1ea1c1a5ae3', DEFAULT, 1000000000000033, 85),
	(1000000000000311, 1000000000000012, 'many', 'A', 60, '198.51.100.83', '\xc6336453', '\x5f28b0ae43e29a42eeb325be8ad7ee5a02a143f66bc6c15888c04ce445506605', DEFAULT, 1000000000000033, 86),
	(1000000000000312, 1000000000000012, 'many', 'A', 60, '198.51.100.84', '\xc6336454', '\x65b8de809c6d0278ef861a8fb29f635f3e641c0485315ec84a54e91d4e04d3f3', DEFAULT, 1000000000000033, 87),
	(1000000000000313, 1000000000000012, 'many', 'A', 60, '198.51.100.85', '\xc6336455', '\x13dabc9cd5437805667cd887727421f77845519b569fadece2024fc097e27e85', DEFAULT, 1000000000000033, 88),
	(1000000000000314, 1000000000000012, 'many', 'A', 60, '198.51.100.86', '\xc6336456', '\x309d79cbc5f719aee8f37dae3b6ace113b2bde3e5b6e9e4e639f2b62441a73f8', DEFAULT, 1000000000000033, 89),
	(1000000000000315, 1000000000000012, 'many', 'A', 60, '198.51.100.87', '\xc6336457', '\xe9c2c2cf1cc7fc51c8a3f376ad612a4ac49ae48bb1d44284fe56fbbc450d0a9b', DEFAULT, 1000000000000033, 90),
	(1000000000000316, 1000000000000012, 'many', 'A', 60, '198.51.100.88', '\xc6336458', '\xee02fcf5ebfd4de9ca5699fc394823de4c69b50f2ea1f64e8c65426201421870', DEFAULT, 1000000000000033, 91),
	(1000000000000317, 1000000000000012, 'many', 'A', 60, '198.51.100.89', '\xc6336459', '\x9a3023a6a5dadf762c92b5c01390b0cf1b1e3b221f64cae66e8ec7a5eaf8d454', DEFAULT, 1000000000000033, 92),
	(1000000000000318, 1000000000000012, 'many', 'A', 60, '198.51.100.90', '\xc633645a', '\x75fe17f9eb211c76dcaf1b1b25bfb15bc51f5a833c14583750a0b6fa3963225a', DEFAULT, 1000000000000033, 93),
	(1000000000000319, 1000000000000012, 'many', 'A', 60, '198.51.100.91', '\xc633645b', '\x2951263b32be4a2ae9857acf0adcf2ef39ce8ab818e32f67ac460407c44bc7af', DEFAULT, 1000000000000033, 94),
	(1000000000000320, 1000000000000012, 'many', 'A', 60, '198.51.100.92', '\xc633645c', '\xa89d7df3ef2dc8428ea094bdd29021fd1ce9b567fbc6c54daafa3949c41c1c23', DEFAULT, 1000000000000033, 95),
	(1000000000000321, 1000000000000012, 'many', 'A', 60, '198.51.100.93', '\xc633645d', '\x5cb5971f7b42ff02de2c1180b5d8630fcd4a0ce36e5807ab85ba3e8c97913424', DEFAULT, 1000000000000033, 96),
	(1000000000000322, 1000000000000012, 'many', 'A', 60, '198.51.100.94', '\xc633645e', '\xd497143776a5b99b11871ecb2b38d5c1a4bdaccf0bde61dea0bc338643edab57', DEFAULT, 1000000000000033, 97),
	(1000000000000323, 1000000000000012, 'many', 'A', 60, '198.51.100.95', '\xc633645f', '\x245b70d51999039f713365deb85663350c330556438caf5bd01a966302be189d', DEFAULT, 1000000000000033, 98),
	(1000000000000324, 1000000000000012, 'many', 'A', 60, '198.51.100.96', '\xc6336460', '\x89efea5a161e8015dec6aa0aebfdd935c77407b6290754def5f7365ab8cce397', DEFAULT, 1000000000000033, 99),
	(1000000000000325, 1000000000000012, 'many', 'A', 60, '198.51.100.97', '\xc6336461', '\x72bea4cbd96dc973e73ddb533be781d09610fd6bd41babf291d8d8635d58c184', DEFAULT, 1000000000000033, 100),
	(1000000000000326, 1000000000000012, 'many', 'A', 60, '198.51.100.98', '\xc6336462', '\xd352d9f3249125b6cded63dd00a1780dad277aed432490f2561289a19f1eb69b', DEFAULT, 1000000000000033, 101),
	(1000000000000327, 1000000000000012, 'many', 'A', 60, '198.51.100.99', '\xc6336463', '\xb915822b0900ddc182ed941da6fbc1d9302d1279125b4e2fcdc25e204b34a20f', DEFAULT, 1000000000000033, 102),
	(1000000000000521, 1000000000000042, '70baec39-6b11-4523-a7e6-839a7b18b8e2.zones', 'PTR', 0, 'many.example.', '\x046d616e79076578616d706c6500', '\x882d5fcfb83199d56415bd0ac8716afa75e4260d16e776844f54aeff08fb75a9', DEFAULT, 1000000000000089, 27),
	(1000000000000523, 1000000000000042, '2b85e2dd-1057-4bc3-92b7-0c5143ea5acc.zones', 'PTR', 0, 'orphan.example.', '\x066f727068616e076578616d706c6500', '\x28e66b8111f5086806b7bc1a5ce277861e0b9b3f5baa7c942b2dfd919d99a934', DEFAULT, 1000000000000089, 29),
	(1000000000000524, 1000000000000042, '3309cb4f-0413-4d41-8053-fd8c78b17b39.zones', 'PTR', 0, 'refused.example.', '\x0772656675736564076578616d706c6500', '\xb69263b21e61ab574506db1f8993f7d78f8d6b89e95ae5d8def68f56ed9fac5d', DEFAULT, 1000000000000089, 30),
	(1000000000000526, 1000000000000042, 'f13c38d0-ef0e-4bae-8885-1ff3f780ac8a.zones', 'PTR', 0, 'resynced.example.', '\x08726573796e636564076578616d706c6500', '\x37b68e7e0de435f5bae1570a8d16d7f3ac991cf2827e00309a7d412f9d0bb3b0', DEFAULT, 1000000000000089, 32),
	(1000000000000333, 1000000000000013, 'kept', 'A', 600, '192.0.2.2', '\xc0000202', '\x0bc7de05ae971a103256115935e8092bfcd77194f47f281351c7bf75876dccc1', DEFAULT, 1000000000000037, 42),
	(1000000000000337, 1000000000000013, '@', 'NS', 3600, 'ns.example.net.', '\x026e73076578616d706c65036e657400', '\xf1d073afaa431a6d4a7d876fc6914ba8a641a9650112852c55714017bd62b933', DEFAULT, 1000000000000037, 11),
	(1000000000000338, 1000000000000013, 'host0', 'A', 600, '203.0.113.0', '\xcb007100', '\xd019b6f98c7a65f9ff04018027f586448ada0d7f54186fd4732bf005066fd34c', DEFAULT, 1000000000000037, 12),
	(1000000000000339, 1000000000000013, 'host1', 'A', 600, '203.0.113.1', '\xcb007101', '\xabe4c802067ff6e428984f75ef64789683866ab62d75c759f70649bc2c593842', DEFAULT, 1000000000000037, 13),
	(1000000000000340, 1000000000000013, 'host2', 'A', 600, '203.0.113.2', '\xcb007102', '\x53a646ea04aef6a73429677c1759b668f16dab054185841d519cb8b9656cfc35', DEFAULT, 1000000000000037, 24),
	(1000000000000341, 1000000000000013, 'host3', 'A', 600, '203.0.113.3', '\xcb007103', '\x5c0a142ebb05562d64c307f3731bfe95edc72f40ca7b02edc06319291b6aa5a9', DEFAULT, 1000000000000037, 35),
	(1000000000000342, 1000000000000013, 'host4', 'A', 600, '203.0.113.4', '\xcb007104', '\xef355c828778046ae2e54a614b5a14d213bd4dce8ed48915d12babf278f558cb', DEFAULT, 1000000000000037, 36),
	(1000000000000343, 1000000000000013, 'host5', 'A', 600, '203.0.113.5', '\xcb007105', '\x8693acfac5cdfb5ca9b6c3b5fc72e83b7430600c93fd1b06925d85a2bf65e239', DEFAULT, 1000000000000037, 37),
	(1000000000000344, 1000000000000013, 'host6', 'A', 600, '203.0.113.6', '\xcb007106', '\x78f24f263cab2df6427986ee1961b3c1ab8e59eac416ae95c299104a222f0fae', DEFAULT, 1000000000000037, 38),
	(1000000000000345, 1000000000000013, 'host7', 'A', 600, '203.0.113.7', '\xcb007107', '\xf58be932fc424cd10e6168c6e1da234409bfb7a5e9bea2a91c32de35e31fa303', DEFAULT, 1000000000000037, 39),
	(1000000000000346, 1000000000000013, 'host8', 'A', 600, '203.0.113.8', '\xcb007108', '\xebede9b540724234d93eb1990e049dfc9ae939456c6273638b46206003860a48', DEFAULT, 1000000000000037, 40),
	(1000000000000347, 1000000000000013, 'host9', 'A', 600, '203.0.113.9', '\xcb007109', '\x39a6ff2840db55e9f1ff734349e22ddceb8f1876df738f5a13937bc0dcef8e22', DEFAULT, 1000000000000037, 41),
	(1000000000000348, 1000000000000013, 'host10', 'A', 600, '203.0.113.10', '\xcb00710a', '\x63b607d4e0d706ebcaaaffe9454abfb495a617ee6430d1b332482edbd40b706d', DEFAULT, 1000000000000037, 14),
	(1000000000000349, 1000000000000013, 'host11', 'A', 600, '203.0.113.11', '\xcb00710b', '\x430f8dd63c15eec12aa6d603e0c3b3c25af07821c4151a27dc210005b7204553', DEFAULT, 1000000000000037, 15),
	(1000000000000350, 1000000000000013, 'host12', 'A', 600, '203.0.113.12', '\xcb00710c', '\x0600f89567a4924d94d958cb985a63a8fb3a41059f053c065e3669eacee8ea55', DEFAULT, 1000000000000037, 16),
	(1000000000000351, 1000000000000013, 'host13', 'A', 600, '203.0.113.13', '\xcb00710d', '\xb47d7951688c1fff430eba7c7ced5742f7d7d414a1ad8f8e9e040fcbb9af63c5', DEFAULT, 1000000000000037, 17),
	(1000000000000352, 1000000000000013, 'host14', 'A', 600, '203.0.113.14', '\xcb00710e', '\x37efdb6f377268d70125486640c4fe287a0193e69a453948900c6887769635c8', DEFAULT, 1000000000000037, 18),
	(1000000000000353, 1000000000000013, 'host15', 'A', 600, '203.0.113.15', '\xcb00710f', '\x4747200f13428cc63a6ba693f2463fe3cba24d3b95a93b4886ec16f38945fd55', DEFAULT, 1000000000000037, 19),
	(1000000000000354, 1000000000000013, 'host16', 'A', 600, '203.0.113.16', '\xcb007110', '\x25343b88bc6d8099d29c98353244fbd8e15d716114323cc42b37fd44bc6dadc7', DEFAULT, 1000000000000037, 20),
	(1000000000000355, 1000000000000013, 'host17', 'A', 600, '203.0.113.17', '\xcb007111', '\x1c3eca10e7229364fc5009e278b54392a6c4bd65da39e9854696a974b40584cf', DEFAULT, 1000000000000037, 21),
	(1000000000000356, 1000000000000013, 'host18', 'A', 600, '203.0.113.18', '\xcb007112', '\x3bdeb53eda0e0079b97113c1392feca89b79a90dcd26d0ba3134945bfdf2bbb7', DEFAULT, 1000000000000037, 22),
	(1000000000000357, 1000000000000013, 'host19', 'A', 600, '203.0.113.19', '\xcb007113', '\xac616c3e6338970da354808edaae19d611ee1a2a8ff69b0d3cf7fc543757ad67', DEFAULT, 1000000000000037, 23),
	(1000000000000358, 1000000000000013, 'host20', 'A', 600, '203.0.113.20', '\xcb007114', '\x6c9251c0847785acb26e5e55072e10b4dbc1fc157a49d1f819b6c0e79bbc6550', DEFAULT, 1000000000000037, 25),
	(1000000000000359, 1000000000000013, 'host21', 'A', 600, '203.0.113.21', '\xcb007115', '\x72dc9c4fd4f8cbeef682f4049c158e1ae0ab8e028c0c6db4fa801a36e64d08ab', DEFAULT, 1000000000000037, 26),
	(1000000000000360, 1000000000000013, 'host22', 'A', 600, '203.0.113.22', '\xcb007116', '\xef2fe8e1b9aeb637aa690777ae0c585d994cc517dd37accf97e0037a9910c87d', DEFAULT, 1000000000000037, 27),
	(1000000000000361, 1000000000000013, 'host23', 'A', 600, '203.0.113.23', '\xcb007117', '\x940457057d0272a98bc5a4e72416c5e460c7b0efea73a936ee5544a5c84eac59', DEFAULT, 1000000000000037, 28),
	(1000000000000362, 1000000000000013, 'host24', 'A', 600, '203.0.113.24', '\xcb007118', '\x747cc72a989b615056f489118cadf071bea7455bc05bbecd209ef84c89da56d5', DEFAULT, 1000000000000037, 29),
	(1000000000000363, 1000000000000013, 'host25', 'A', 600, '203.0.113.25', '\xcb007119', '\x1226e6999d0343a1c1fec20eb210ba6b08f7255df0815985131f6a5758e3b395', DEFAULT, 1000000000000037, 30),
	(1000000000000364, 1000000000000013, 'host26', 'A', 600, '203.0.113.26', '\xcb00711a', '\x4a1507e02da4f3a0752235758f4e705a8c16585158f45cdbfb5551b4d92085d2', DEFAULT, 1000000000000037, 31),
	(1000000000000365, 1000000000000013, 'host27', 'A', 600, '203.0.113.27', '\xcb00711b', '\x2e4405634628defe09c3f8ed950773fcb62c9cbd92d939240b4c97dbeb177368', DEFAULT, 1000000000000037, 32),
	(1000000000000366, 1000000000000013, 'host28', 'A', 600, '203.0.113.28', '\xcb00711c', '\x24ece0ca2849bc3421afa538ab2eb009f280277ff38b3d0954ca71dca50734e3', DEFAULT, 1000000000000037, 33),
	(1000000000000367, 1000000000000013, 'host29', 'A', 600, '203.0.113.29', '\xcb00711d', '\x6c3d2ff27f640323d4d09cf7cc4f66a41605920b41068f3317e64954a414ba77', DEFAULT, 1000000000000037, 34),
	(1000000000000370, 1000000000000014, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000039, 2),
	(1000000000000371, 1000000000000014, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000039, 3),
	(1000000000000372, 1000000000000014, 'www', 'CNAME', 3600, 'serial-set.example.', '\x0a73657269616c2d736574076578616d706c6500', '\x0e872fb691d8cea257162289866f724817649d5cee13ea0df6781451c5973b5b', DEFAULT, 1000000000000039, 4),
	(1000000000000374, 1000000000000015, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000041, 2),
	(1000000000000375, 1000000000000015, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000041, 3),
	(1000000000000376, 1000000000000015, 'www', 'CNAME', 3600, 'serial-end.example.', '\x0a73657269616c2d656e64076578616d706c6500', '\x872e922de99adb58d3657447161568bbfac9b5ffb4b9b25dbf9e2659134897ea', DEFAULT, 1000000000000041, 4),
	(1000000000000399, 1000000000000020, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000060, 2),
	(1000000000000400, 1000000000000020, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000060, 3),
	(1000000000000401, 1000000000000020, 'www', 'CNAME', 3600, 'again.example.', '\x05616761696e076578616d706c6500', '\x1d9d656a76d404ad94933ec1ab03df304fc5c2fc0160c047c119d27299d868a2', DEFAULT, 1000000000000060, 4),
	(1000000000000402, 1000000000000020, 'b', 'A', 300, '192.0.2.3', '\xc0000203', '\xdf57255ed325915e562ae85a6f8875f6dfbb2138795fbfbe0c11e87b4dcfcb18', DEFAULT, 1000000000000061, 3),
	(1000000000000404, 1000000000000021, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000062, 2),
	(1000000000000405, 1000000000000021, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000062, 3),
	(1000000000000406, 1000000000000021, 'www', 'CNAME', 3600, 'orphan.example.', '\x066f727068616e076578616d706c6500', '\x28e66b8111f5086806b7bc1a5ce277861e0b9b3f5baa7c942b2dfd919d99a934', DEFAULT, 1000000000000062, 4),
	(1000000000000409, 1000000000000022, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000064, 2),
	(1000000000000410, 1000000000000022, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000064, 3),
	(1000000000000413, 1000000000000022, 'host', 'A', 300, '192.0.2.2', '\xc0000202', '\x0bc7de05ae971a103256115935e8092bfcd77194f47f281351c7bf75876dccc1', DEFAULT, 1000000000000065, 4),
	(1000000000000415, 1000000000000022, 'new', 'AAAA', 60, '2001:db8::7', '\x20010db8000000000000000000000007', '\x8cf350ed1ca7c52e1f26c663cb48ffd40d306567c352a600bc8a3a41e16831c8', DEFAULT, 1000000000000066, 4);
INSERT INTO public.zone_record VALUES
	(1000000000000417, 1000000000000022, '_acme-challenge.www', 'TXT', 120, '"token"', '\x05746f6b656e', '\x2e6a5701d8d016ba669d49feba5b180343ed38b0c5120ab0a669584a9930cec7', DEFAULT, 1000000000000068, 4),
	(1000000000000419, 1000000000000023, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000069, 2),
	(1000000000000420, 1000000000000023, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000069, 3),
	(1000000000000421, 1000000000000023, 'www', 'CNAME', 3600, 'refused.example.', '\x0772656675736564076578616d706c6500', '\xb69263b21e61ab574506db1f8993f7d78f8d6b89e95ae5d8def68f56ed9fac5d', DEFAULT, 1000000000000069, 4),
	(1000000000000423, 1000000000000024, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000070, 2),
	(1000000000000424, 1000000000000024, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000070, 3),
	(1000000000000425, 1000000000000024, 'www', 'CNAME', 3600, 'late.example.', '\x046c617465076578616d706c6500', '\xf541d15c97f94de6f3415c555848d3160340d88f5cc1716018b6139132658334', DEFAULT, 1000000000000070, 4),
	(1000000000000427, 1000000000000025, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000071, 2),
	(1000000000000428, 1000000000000025, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000071, 3),
	(1000000000000429, 1000000000000025, 'www', 'CNAME', 3600, 'ahead.example.', '\x056168656164076578616d706c6500', '\x54979e77a38f14f2b4dc3377320f2f2f1f6f0412de745e50965727d882c81b3a', DEFAULT, 1000000000000071, 4),
	(1000000000000431, 1000000000000026, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000072, 2),
	(1000000000000432, 1000000000000026, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000072, 3),
	(1000000000000433, 1000000000000026, 'www', 'CNAME', 3600, 'resynced.example.', '\x08726573796e636564076578616d706c6500', '\x37b68e7e0de435f5bae1570a8d16d7f3ac991cf2827e00309a7d412f9d0bb3b0', DEFAULT, 1000000000000072, 4),
	(1000000000000527, 1000000000000042, '7b6c20ba-3a9f-49ec-b96f-180ca02cf7ce.zones', 'PTR', 0, 'serial-around.example.', '\x0d73657269616c2d61726f756e64076578616d706c6500', '\x23ff92112dcb31fca5dfff4294478ff79f2c3da37abb9d0a6009f906cc497980', DEFAULT, 1000000000000089, 33),
	(1000000000000528, 1000000000000042, '88ebf6ee-5e8f-4852-b358-b3d0b9ca942a.zones', 'PTR', 0, 'serial-end.example.', '\x0a73657269616c2d656e64076578616d706c6500', '\x872e922de99adb58d3657447161568bbfac9b5ffb4b9b25dbf9e2659134897ea', DEFAULT, 1000000000000089, 34),
	(1000000000000529, 1000000000000042, '978cae11-fa7a-4301-8fe6-7982705fb6d8.zones', 'PTR', 0, 'serial-set.example.', '\x0a73657269616c2d736574076578616d706c6500', '\x0e872fb691d8cea257162289866f724817649d5cee13ea0df6781451c5973b5b', DEFAULT, 1000000000000089, 35),
	(1000000000000530, 1000000000000042, '87bd96d7-c1a2-4620-8677-935274a40aa5.zones', 'PTR', 0, 'serial-wrapped.example.', '\x0e73657269616c2d77726170706564076578616d706c6500', '\x7386e9557d8247f527bbf4c722f645d9c7495671f5412131c450197c1d866fda', DEFAULT, 1000000000000089, 36),
	(1000000000000531, 1000000000000042, 'e1f1323c-7da8-448f-8744-7bb0468a05d9.zones', 'PTR', 0, 'sub.example.com.', '\x03737562076578616d706c6503636f6d00', '\xa60c24e2cc44a28d7cff7bc61d58960b46a44172f8d682a5d7c4568f080cc281', DEFAULT, 1000000000000089, 37),
	(1000000000000532, 1000000000000042, '1ee2e7d6-7cbc-4d25-b7f4-971c1026d450.zones', 'PTR', 0, 'transferred.example.', '\x0b7472616e73666572726564076578616d706c6500', '\x939a52e057149546315da18fe8d904616ae8227e21b5b7ab0e87bd9acad7a714', DEFAULT, 1000000000000089, 38),
	(1000000000000533, 1000000000000042, '330d201a-2782-417d-a68a-1b8ce198460e.zones', 'PTR', 0, 'types.example.', '\x057479706573076578616d706c6500', '\xe94d94ce05668756018862607b83274dd21a764906a495246319ee89fadb2be5', DEFAULT, 1000000000000089, 39),
	(1000000000000534, 1000000000000042, '32c2f49c-9ffb-4a61-b5ff-b48d0194faef.zones', 'PTR', 0, 'updates.example.', '\x0775706461746573076578616d706c6500', '\xbb93a38dc7e9b37e97790c36ee8ea89032369f18925e3af7d3e85862f939cb87', DEFAULT, 1000000000000089, 40),
	(1000000000000535, 1000000000000042, '90fcf7ea-4414-44cd-ab09-2d4bb7aed00f.zones', 'PTR', 0, 'vectors.example.', '\x07766563746f7273076578616d706c6500', '\x6eb30a0db1c126c849aeb7d7cdf588af1212e686190d9dd456c6f0d04405418a', DEFAULT, 1000000000000089, 41),
	(1000000000000536, 1000000000000042, 'e8615635-9d3d-46cd-bf36-62b8657fcee2.zones', 'PTR', 0, 'xn--bcher-kva.example.', '\x0d786e2d2d62636865722d6b7661076578616d706c6500', '\xaeb0ee7fd8168532f2e5b94adcc65119e83597d82c8f56c2ce83e213c1f6bbe2', DEFAULT, 1000000000000089, 42),
	(1000000000000538, 1000000000000022, 'mail', 'A', 300, '192.0.2.9', '\xc0000209', '\xb72e102b5e93441e9c322aff78cc8575a44402d4431fa2497101c80b4aae6185', DEFAULT, 1000000000000092, 3),
	(1000000000000543, 1000000000000042, '9314370e-fef5-483e-9af7-782e0ba4f2ad.zones', 'PTR', 0, 'names.example.', '\x056e616d6573076578616d706c6500', '\xaf3b8e65228b7a60d46864b6625f10a94f981d3b169819f69ec2a06d724e170d', DEFAULT, 1000000000000097, 7),
	(1000000000000545, 1000000000000022, 'silent', 'A', 300, '192.0.2.9', '\xc0000209', '\xb72e102b5e93441e9c322aff78cc8575a44402d4431fa2497101c80b4aae6185', DEFAULT, 1000000000000099, 3),
	(1000000000000540, 1000000000000043, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000096, 2),
	(1000000000000541, 1000000000000043, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000096, 3),
	(1000000000000542, 1000000000000043, 'www', 'CNAME', 3600, 'back.example.', '\x046261636b076578616d706c6500', '\x51953e018a39e5e136efdd9bbf9b9c20b08a2c1300d8c73209902ce1e6349126', DEFAULT, 1000000000000096, 4),
	(1000000000000544, 1000000000000042, 'cb75c44f-ff19-4aae-b9ea-46a2a3e17fab.zones', 'PTR', 0, 'back.example.', '\x046261636b076578616d706c6500', '\x51953e018a39e5e136efdd9bbf9b9c20b08a2c1300d8c73209902ce1e6349126', DEFAULT, 1000000000000098, 3),
	(1000000000000025, 1000000000000003, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000015, 1),
	(1000000000000000, 1000000000000000, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000000, 1),
	(1000000000000016, 1000000000000001, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000012, 1),
	(1000000000000021, 1000000000000002, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000014, 1),
	(1000000000000030, 1000000000000004, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000017, 1),
	(1000000000000035, 1000000000000005, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000019, 1),
	(1000000000000040, 1000000000000006, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000021, 1),
	(1000000000000111, 1000000000000007, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000023, 1),
	(1000000000000179, 1000000000000008, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000024, 1),
	(1000000000000187, 1000000000000009, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000026, 1),
	(1000000000000204, 1000000000000010, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000028, 1),
	(1000000000000209, 1000000000000011, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000030, 1),
	(1000000000000224, 1000000000000012, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000032, 1),
	(1000000000000377, 1000000000000016, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000044, 1),
	(1000000000000381, 1000000000000017, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000047, 1),
	(1000000000000328, 1000000000000013, '@', 'SOA', 3600, 'ns.example.net. host.example.net. 0 10800 3600 1209600 3600', '\x026e73076578616d706c65036e65740004686f7374076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\x3d3cd977f7bb1302dcb72993297e3dc3eb703369e8f940fcb279c03a895cdd94', DEFAULT, 1000000000000037, 2),
	(1000000000000369, 1000000000000014, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000039, 1),
	(1000000000000373, 1000000000000015, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000041, 1),
	(1000000000000398, 1000000000000020, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000060, 1),
	(1000000000000403, 1000000000000021, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000062, 1),
	(1000000000000418, 1000000000000023, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000069, 1),
	(1000000000000422, 1000000000000024, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000070, 1),
	(1000000000000426, 1000000000000025, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000071, 1),
	(1000000000000494, 1000000000000042, '@', 'SOA', 0, 'invalid. invalid. 0 60 10 2147483646 0', '\x07696e76616c69640007696e76616c696400000000000000003c0000000a7ffffffe00000000', '\x812512c13159c99bd4f1f77b2bec3daf7dc4e59aa1382f67887f4711609851c1', DEFAULT, 1000000000000088, 1),
	(1000000000000408, 1000000000000022, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000064, 1),
	(1000000000000430, 1000000000000026, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000072, 1),
	(1000000000000539, 1000000000000043, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000096, 1),
	(1000000000002018, 1000000000000577, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000579, 1),
	(1000000000002034, 1000000000000577, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000579, 2),
	(1000000000002050, 1000000000000577, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000579, 3),
	(1000000000002066, 1000000000000577, 'www', 'CNAME', 3600, 'rest.v1-0.example.', '\x04726573740476312d30076578616d706c6500', '\xf9afab2918061c9a07b40aea61ce2cdf5b296ea7ea68de3b7c4298b1e13fe999', DEFAULT, 1000000000000579, 4),
	(1000000000002114, 1000000000000042, '2eeae9e0-1db1-4558-821a-ce76c6b3d7a9.zones', 'PTR', 0, 'rest.v1-0.example.', '\x04726573740476312d30076578616d706c6500', '\xf9afab2918061c9a07b40aea61ce2cdf5b296ea7ea68de3b7c4298b1e13fe999', DEFAULT, 1000000000000627, 1),
	(1000000000002082, 1000000000000577, 'a', 'A', 300, '192.0.2.3', '\xc0000203', '\xdf57255ed325915e562ae85a6f8875f6dfbb2138795fbfbe0c11e87b4dcfcb18', DEFAULT, 1000000000000643, 3),
	(1000000000002130, 1000000000000577, 'b', 'A', 3600, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000659, 1),
	(1000000000002162, 1000000000000593, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000707, 1),
	(1000000000002178, 1000000000000593, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000707, 2),
	(1000000000002194, 1000000000000593, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000707, 3),
	(1000000000002210, 1000000000000593, 'www', 'CNAME', 3600, 'graphql.v1-0.example.', '\x076772617068716c0476312d30076578616d706c6500', '\x5eacf2a6a4fa4f612b5391739a8ed9a210a7d97004c2e9e567b6231d27fb96f7', DEFAULT, 1000000000000707, 4),
	(1000000000002226, 1000000000000593, 't-a', 'A', 3600, '192.0.2.1', '\xc0000201', '\x4b8feb9364512928546debfc76c9ecc0f96e4cf545b30ab5cbde831712702b9e', DEFAULT, 1000000000000723, 1),
	(1000000000002242, 1000000000000593, 't-ns', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000723, 2),
	(1000000000002258, 1000000000000593, 't-cname', 'CNAME', 3600, 'www.example.net.', '\x03777777076578616d706c65036e657400', '\x458d1b19480f648d8b48f4bf2dc37f600d60de328c10ea446eaa0c46355cc9b5', DEFAULT, 1000000000000723, 3),
	(1000000000002274, 1000000000000593, 't-mb', 'MB', 3600, 'mail.example.net.', '\x046d61696c076578616d706c65036e657400', '\xb69f24a68c82ea217d1729eb21b9cd927908495ff04d06514a15a3623a8b084c', DEFAULT, 1000000000000723, 4),
	(1000000000002290, 1000000000000593, 't-mg', 'MG', 3600, 'member.example.net.', '\x066d656d626572076578616d706c65036e657400', '\x5974e11f71cbca9487b35d66d94138984765b34999cd0071c67856aa1d57b310', DEFAULT, 1000000000000723, 5),
	(1000000000002306, 1000000000000593, 't-mr', 'MR', 3600, 'new.example.net.', '\x036e6577076578616d706c65036e657400', '\x3539f7cabb29595746e8209852995c972490227ac2366eb73b2b08d0dc652c59', DEFAULT, 1000000000000723, 6),
	(1000000000002322, 1000000000000593, 't-ptr', 'PTR', 3600, 'host.example.net.', '\x04686f7374076578616d706c65036e657400', '\x2ce888341870ee3fbfa8f01ae4393f905c15ef5e89cd9095f54f40b77ad55228', DEFAULT, 1000000000000723, 7),
	(1000000000002338, 1000000000000593, 't-hinfo', 'HINFO', 3600, '"PC" "Linux"', '\x025043054c696e7578', '\x2afd81427779e436fdc78c469b5a2719cebac89908ac37b3089c2ff65bda50f1', DEFAULT, 1000000000000723, 8),
	(1000000000002354, 1000000000000593, 't-minfo', 'MINFO', 3600, 'owner.example.net. errors.example.net.', '\x056f776e6572076578616d706c65036e657400066572726f7273076578616d706c65036e657400', '\x21734ec07ef8920643c998c059e0081f8dadfa2aae14001becb924d5110bacfd', DEFAULT, 1000000000000723, 9),
	(1000000000002370, 1000000000000593, 't-mx', 'MX', 3600, '10 mail.example.net.', '\x000a046d61696c076578616d706c65036e657400', '\x55c43702f6a9e7dd976821f8fd34b48daebcc9b0c5aa2914d79e3a97804a33da', DEFAULT, 1000000000000723, 10),
	(1000000000002386, 1000000000000593, 't-txt', 'TXT', 3600, '"v=spf1 mx -all"', '\x0e763d73706631206d78202d616c6c', '\x87f39f47ed7a4a6d00a19697fff57fd1c8e925fa54a3554e4e17ebb6737825e4', DEFAULT, 1000000000000723, 11),
	(1000000000002402, 1000000000000593, 't-rp', 'RP', 3600, 'admin.example.net. about.example.net.', '\x0561646d696e076578616d706c65036e6574000561626f7574076578616d706c65036e657400', '\x3157bd25de4a0e228f601e39c923e4c7d35c8a41c92dad0db817a96f85317fcd', DEFAULT, 1000000000000723, 12),
	(1000000000002418, 1000000000000593, 't-afsdb', 'AFSDB', 3600, '1 afs.example.net.', '\x000103616673076578616d706c65036e657400', '\x72a5e44404454725f77551dcbb7fa878d91ec87e90052a1d9aaa51a636301b0d', DEFAULT, 1000000000000723, 13),
	(1000000000002434, 1000000000000593, 't-x25', 'X25', 3600, '"311061700956"', '\x0c333131303631373030393536', '\xbb8bf655488ecfe001baf87c3413205c6ef0b082d1a5a6f49ed58e46bafff55f', DEFAULT, 1000000000000723, 14),
	(1000000000002450, 1000000000000593, 't-isdn', 'ISDN', 3600, '"150862028003217" "004"', '\x0f31353038363230323830303332313703303034', '\x5052386f611c8d86264cea6393ddf23cf8ecbe8281409af4a7a452f86dc59456', DEFAULT, 1000000000000723, 15),
	(1000000000002466, 1000000000000593, 't-rt', 'RT', 3600, '10 relay.example.net.', '\x000a0572656c6179076578616d706c65036e657400', '\x3c74cfd475bc23ab7470e67d75254392c5ff3e7c7f917a1a36fef2b622b38bc4', DEFAULT, 1000000000000723, 16),
	(1000000000002482, 1000000000000593, 't-nsap', 'NSAP', 3600, '0x47000580005A0000000001E133FFFFFF00016100', '\x47000580005a0000000001e133ffffff00016100', '\x3766122596f3b991b817fa7fe2640a95ee5d839c213e89a62e42a69afe31e7e9', DEFAULT, 1000000000000723, 17),
	(1000000000002498, 1000000000000593, 't-nsap-ptr', 'NSAP-PTR', 3600, 'host.example.net.', '\x04686f7374076578616d706c65036e657400', '\x2ce888341870ee3fbfa8f01ae4393f905c15ef5e89cd9095f54f40b77ad55228', DEFAULT, 1000000000000723, 18),
	(1000000000002514, 1000000000000593, 't-key', 'KEY', 3600, '512 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=', '\x0200030f974d96a22d224bc01adb915091477d44ccd91c9a41a11430010117d52c59240e', '\x67a22b897fe034263ab991cdca054d98999226038dca43a4a5973451f9d82dad', DEFAULT, 1000000000000723, 19),
	(1000000000002530, 1000000000000593, 't-px', 'PX', 3600, '10 example.net. PRMD-a.ADMD-b.C-de.', '\x000a076578616d706c65036e6574000650524d442d610641444d442d6204432d646500', '\xb9f080c8caebd0af45a36125cac3f801eac9662d3639ac12abe86a516749a24b', DEFAULT, 1000000000000723, 20),
	(1000000000002546, 1000000000000593, 't-gpos', 'GPOS', 3600, '"-32.6882" "116.8652" "10.0"', '\x082d33322e36383832083131362e383635320431302e30', '\xf34b136c58b168aec1ea6c1ceb581dcddbe73f8b144721f9a4e9b863462206ab', DEFAULT, 1000000000000723, 21),
	(1000000000002562, 1000000000000593, 't-aaaa', 'AAAA', 3600, '2001:db8::1', '\x20010db8000000000000000000000001', '\x1e03d7e1ca9db5080365cbde610828b6273acb1324137a7f921d9139ca13f8f3', DEFAULT, 1000000000000723, 22),
	(1000000000002578, 1000000000000593, 't-loc', 'LOC', 3600, '52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000.00m 10.00m', '\x000016138b3cf018810cbce0009895b8', '\xe471698e16f8125483af7cb1fad0af980506b93e87ed39af2f4554b9cc273bd9', DEFAULT, 1000000000000723, 23),
	(1000000000002594, 1000000000000593, 't-eid', 'EID', 3600, '0A000001', '\x0a000001', '\x47b774c93d5c0301cf44937581d402c39bb7c58fd7470032df9750abc5d52f00', DEFAULT, 1000000000000723, 24),
	(1000000000002610, 1000000000000593, 't-nimloc', 'NIMLOC', 3600, '0A000001', '\x0a000001', '\x47b774c93d5c0301cf44937581d402c39bb7c58fd7470032df9750abc5d52f00', DEFAULT, 1000000000000723, 25),
	(1000000000002626, 1000000000000593, 't-srv', 'SRV', 3600, '10 20 5060 sip.example.net.', '\x000a001413c403736970076578616d706c65036e657400', '\x2cee61beed61a44031d35e90589871f86e7c3cfdaf836c392382b10585937d09', DEFAULT, 1000000000000723, 26),
	(1000000000002642, 1000000000000593, 't-naptr', 'NAPTR', 3600, '100 10 "S" "SIP+D2U" "" _sip._udp.example.net.', '\x0064000a0153075349502b44325500045f736970045f756470076578616d706c65036e657400', '\x138cd163184a48eee14d6b32edd6fdb2c7074d73718ee93ca944fbb2eefd31cb', DEFAULT, 1000000000000723, 27),
	(1000000000002658, 1000000000000593, 't-kx', 'KX', 3600, '10 kx.example.net.', '\x000a026b78076578616d706c65036e657400', '\xf2558113f8a13930b6d5c4404e402748cbd21913ae491b926ae517741b402686', DEFAULT, 1000000000000723, 28),
	(1000000000002674, 1000000000000593, 't-cert', 'CERT', 3600, '1 0 0 AQIDBAUGBwgJCgsMDQ4PEA==', '\x00010000000102030405060708090a0b0c0d0e0f10', '\xf88b3cee9b7c190d995d5d6eacad92aa2312312aa4262d0c6f9808c9d59c1304', DEFAULT, 1000000000000723, 29),
	(1000000000002690, 1000000000000593, 't-dname', 'DNAME', 3600, 'example.net.', '\x076578616d706c65036e657400', '\x5aaf3ac400ef27d36b68cca88a18f7bc20eac2115c86d5eae5c83ff25e6f0bbf', DEFAULT, 1000000000000723, 30),
	(1000000000002706, 1000000000000593, 't-apl', 'APL', 3600, '1:192.0.2.0/24 !1:192.0.2.64/28', '\x00011803c0000200011c84c0000240', '\xd6ba432012377beaf7be9570e4b56673912b69df69ea3c65f363698b36fd5f1e', DEFAULT, 1000000000000723, 31),
	(1000000000002722, 1000000000000593, 't-ds', 'DS', 3600, '60485 13 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A', '\xec450d02d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a', '\x0a749283d3c7fe60fa0ff696c1110f3da147398c0a91d9f7ea2381bb2ae1569f', DEFAULT, 1000000000000723, 32);
INSERT INTO public.zone_record VALUES
	(1000000000002738, 1000000000000593, 't-sshfp', 'SSHFP', 3600, '4 2 123456789ABCDEF67890123456789ABCDEF67890123456789ABCDEF123456789', '\x0402123456789abcdef67890123456789abcdef67890123456789abcdef123456789', '\xbf52e242a0b298511eba53514fce82a35b59d7b66434d5a88e38779cfb300c2f', DEFAULT, 1000000000000723, 33),
	(1000000000002754, 1000000000000593, 't-ipseckey', 'IPSECKEY', 3600, '10 1 2 192.0.2.38 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==', '\x0a0102c0000226010351537986ed35533b6064478eeeb27b5bd74dae149b6e81ba3a0521af82ab7801', '\xc2e0d0f4841c739a6a93b6cf7652a52f0a285e35524909b0316e19ff0edbe04c', DEFAULT, 1000000000000723, 34),
	(1000000000002770, 1000000000000593, 't-dnskey', 'DNSKEY', 3600, '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=', '\x0101030f974d96a22d224bc01adb915091477d44ccd91c9a41a11430010117d52c59240e', '\xebcc725dbc4a67c7f58064dfa71b4094d3f20acca10170bf336bbb053142cc12', DEFAULT, 1000000000000723, 35),
	(1000000000002786, 1000000000000593, 't-dhcid', 'DHCID', 3600, 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=', '\x000201636fc0b8271c82825bb1ac5c41cf5351aa69b4febd94e8f17cdb95000da48c40', '\x10cf14aa51cbd1e8bb9d723f40d95dd6f2fb83bb7f23073cbfe638cf6ab69919', DEFAULT, 1000000000000723, 36),
	(1000000000002802, 1000000000000593, 't-nsec3param', 'NSEC3PARAM', 3600, '1 0 0 -', '\x0100000000', '\x957b88b12730e646e0f33d3618b77dfa579e8231e3c59c7104be7165611c8027', DEFAULT, 1000000000000723, 37),
	(1000000000002818, 1000000000000593, 't-tlsa', 'TLSA', 3600, '3 1 1 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A', '\x030101d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a', '\x028d995694dfc23c63b392c1c9290ebc029d3be1ee62f3c533858df396c8d5b2', DEFAULT, 1000000000000723, 38),
	(1000000000002834, 1000000000000593, 't-smimea', 'SMIMEA', 3600, '3 1 1 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A', '\x030101d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a', '\x028d995694dfc23c63b392c1c9290ebc029d3be1ee62f3c533858df396c8d5b2', DEFAULT, 1000000000000723, 39),
	(1000000000002850, 1000000000000593, 't-hip', 'HIP', 3600, '2 200100107B1A74DF365639CC39F1D578 AwEAAbdxyhNuSutc5EMzxTs9LBPCIkOFH8cIvM4p', '\x1002001e200100107b1a74df365639cc39f1d57803010001b771ca136e4aeb5ce44333c53b3d2c13c22243851fc708bcce29', '\x14e43bb0d68f55b0297a08a28879d0df1a78869bc7ca83badf9fa07dc17f944a', DEFAULT, 1000000000000723, 40),
	(1000000000002866, 1000000000000593, 't-ninfo', 'NINFO', 3600, '"text"', '\x0474657874', '\xf356a0ce0f2847fc65cea39d99a643e90e2bb2316aa00d6e1b24226abcfbebce', DEFAULT, 1000000000000723, 41),
	(1000000000002882, 1000000000000593, 't-rkey', 'RKEY', 3600, '0 255 1 AQIDBAUGBwgJCgsMDQ4PEA==', '\x0000ff010102030405060708090a0b0c0d0e0f10', '\xefa5057057df2c18d8f479785a75300c1c20aafd42de7c830047bbf1dbcf32a9', DEFAULT, 1000000000000723, 42),
	(1000000000002898, 1000000000000593, 't-talink', 'TALINK', 3600, 'previous.example.net. next.example.net.', '\x0870726576696f7573076578616d706c65036e657400046e657874076578616d706c65036e657400', '\x7db5807bea06f9e20af1d5b3964b3e21cb9f0b9ed6cdf77445dc7d300a45fb42', DEFAULT, 1000000000000723, 43),
	(1000000000002914, 1000000000000593, 't-cds', 'CDS', 3600, '60485 13 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A', '\xec450d02d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a', '\x0a749283d3c7fe60fa0ff696c1110f3da147398c0a91d9f7ea2381bb2ae1569f', DEFAULT, 1000000000000723, 44),
	(1000000000002930, 1000000000000593, 't-cdnskey', 'CDNSKEY', 3600, '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=', '\x0101030f974d96a22d224bc01adb915091477d44ccd91c9a41a11430010117d52c59240e', '\xebcc725dbc4a67c7f58064dfa71b4094d3f20acca10170bf336bbb053142cc12', DEFAULT, 1000000000000723, 45),
	(1000000000002946, 1000000000000593, 't-openpgpkey', 'OPENPGPKEY', 3600, 'AQIDBAUGBwgJCgsMDQ4PEA==', '\x0102030405060708090a0b0c0d0e0f10', '\x5dfbabeedf318bf33c0927c43d7630f51b82f351740301354fa3d7fc51f0132e', DEFAULT, 1000000000000723, 46),
	(1000000000002962, 1000000000000593, 't-csync', 'CSYNC', 3600, '66 3 A NS AAAA', '\x000000420003000460000008', '\xdbfd975079e0d3feda44492b0f82bc55ee05585225d03cf4c6c0e623985edeac', DEFAULT, 1000000000000723, 47),
	(1000000000002978, 1000000000000593, 't-zonemd', 'ZONEMD', 3600, '2018031900 1 240 E2D523F654B9422A96C5A8F44607BBEE', '\x7848b91c01f0e2d523f654b9422a96c5a8f44607bbee', '\xb5a55ad578e9e9d69476e13c3f1a2dc951587acb1b3d65394ea3e418e4762f7d', DEFAULT, 1000000000000723, 48),
	(1000000000002994, 1000000000000593, 't-svcb', 'SVCB', 3600, '1 svc.example.net. alpn="h2" port=8443', '\x000103737663076578616d706c65036e657400000100030268320003000220fb', '\xd67ed542af7e2da8440c27850541da341e8ca1bbd48d9c1d38a9645326f6da4a', DEFAULT, 1000000000000723, 49),
	(1000000000003010, 1000000000000593, 't-https', 'HTTPS', 3600, '1 . alpn="h2,h3"', '\x00010000010006026832026833', '\xbc6d2facaee858cf3b649c3c19c24af6ed41c2f2db4c8129d6ea34420e2738b0', DEFAULT, 1000000000000723, 50),
	(1000000000003026, 1000000000000593, 't-dsync', 'DSYNC', 3600, 'CDS 1 53 notify.example.net.', '\x003b010035066e6f74696679076578616d706c65036e657400', '\x60df847e9fa731e0f1f87b234a4c3276452547e8b896a785157e738de1a8fc03', DEFAULT, 1000000000000723, 51),
	(1000000000003042, 1000000000000593, 't-spf', 'SPF', 3600, '"v=spf1 mx -all"', '\x0e763d73706631206d78202d616c6c', '\x87f39f47ed7a4a6d00a19697fff57fd1c8e925fa54a3554e4e17ebb6737825e4', DEFAULT, 1000000000000723, 52),
	(1000000000003058, 1000000000000593, 't-nid', 'NID', 3600, '10 0014:4fff:ff20:ee64', '\x000a00144fffff20ee64', '\x140b2c42faaf57d44b34ea124312566293062bc5fea62b342e1be1f42251e61a', DEFAULT, 1000000000000723, 53),
	(1000000000003074, 1000000000000593, 't-l32', 'L32', 3600, '10 10.1.2.0', '\x000a0a010200', '\x38f14397a83ea3c5207301ce887abf860740bad52f651bff6a4da48f09527bfe', DEFAULT, 1000000000000723, 54),
	(1000000000003090, 1000000000000593, 't-l64', 'L64', 3600, '10 2001:0db8:1140:1000', '\x000a20010db811401000', '\xccab665902aeec6e04a9e74271cdf6275eb2592c478b1c9e510ef525c73b999d', DEFAULT, 1000000000000723, 55),
	(1000000000003106, 1000000000000593, 't-lp', 'LP', 3600, '10 l64.example.net.', '\x000a036c3634076578616d706c65036e657400', '\xc465f40876a73e0f4857a15fa23b308baed7af58e089d5ed4cd035149b06727a', DEFAULT, 1000000000000723, 56),
	(1000000000003122, 1000000000000593, 't-eui48', 'EUI48', 3600, '00-00-5e-00-53-2a', '\x00005e00532a', '\xe150331625823e1e88be71e7f4f0a966a6ba041bf47278abe729e39cc2cc32e1', DEFAULT, 1000000000000723, 57),
	(1000000000003138, 1000000000000593, 't-eui64', 'EUI64', 3600, '00-00-5e-ef-10-00-00-2a', '\x00005eef1000002a', '\x1468a9ee364b86932f98615173baec01acf919c37eba980826e9392e330ab141', DEFAULT, 1000000000000723, 58),
	(1000000000003154, 1000000000000593, 't-uri', 'URI', 3600, '10 1 "https://www.example.net/"', '\x000a000168747470733a2f2f7777772e6578616d706c652e6e65742f', '\x18f2bf73b2967061c3d3f887631f008b131ccc46b93e44287d18d954baf6ad56', DEFAULT, 1000000000000723, 59),
	(1000000000003170, 1000000000000593, 't-caa', 'CAA', 3600, '0 issue "ca.example.net"', '\x0005697373756563612e6578616d706c652e6e6574', '\x724eb3ac02a02ac7c45230f6d36fab38e758d1a06bc89fbd0ec59d5ccb3fdcfc', DEFAULT, 1000000000000723, 60),
	(1000000000003186, 1000000000000593, 't-avc', 'AVC', 3600, '"app-name:WOLFGANG"', '\x116170702d6e616d653a574f4c4647414e47', '\x69087ca99d9f543428e9f09b52c7e432f302e1c1278784ef0605805651337e37', DEFAULT, 1000000000000723, 61),
	(1000000000003202, 1000000000000593, 't-amtrelay', 'AMTRELAY', 3600, '10 0 1 192.0.2.1', '\x0a01c0000201', '\xd780160176c15f8cbd69cb52c1068bf5ce806ba6c87b0a5da4c2e61dba62a18e', DEFAULT, 1000000000000723, 62),
	(1000000000003218, 1000000000000593, 't-resinfo', 'RESINFO', 3600, '"qnamemin" "exterr=15,16,17"', '\x08716e616d656d696e0f6578746572723d31352c31362c3137', '\x65c719a7d546d9c25d2dd1a382d56786d13a415f90e26ae076bfbe1ae626c9c4', DEFAULT, 1000000000000723, 63),
	(1000000000003234, 1000000000000593, 't-wallet', 'WALLET', 3600, '"currency" "address"', '\x0863757272656e63790761646472657373', '\x8b1df55ac5c24807727447dffc58e4e3cf71917cc2bc1219496c6b15cdab9217', DEFAULT, 1000000000000723, 64),
	(1000000000003250, 1000000000000593, 't-ta', 'TA', 3600, '60485 13 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A', '\xec450d02d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a', '\x0a749283d3c7fe60fa0ff696c1110f3da147398c0a91d9f7ea2381bb2ae1569f', DEFAULT, 1000000000000723, 65),
	(1000000000003266, 1000000000000593, 't-dlv', 'DLV', 3600, '60485 13 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A', '\xec450d02d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a', '\x0a749283d3c7fe60fa0ff696c1110f3da147398c0a91d9f7ea2381bb2ae1569f', DEFAULT, 1000000000000723, 66),
	(1000000000003282, 1000000000000593, 't-ds', 'NS', 3600, 'ns.example.net.', '\x026e73076578616d706c65036e657400', '\xf1d073afaa431a6d4a7d876fc6914ba8a641a9650112852c55714017bd62b933', DEFAULT, 1000000000000723, 67),
	(1000000000003298, 1000000000000593, 'xn--strae-oqa.xn--t-9fab', 'TXT', 3600, '"\000" "\226\152\149;\""', '\x010005e298953b22', '\x93dfb4d66e55082110068955d7ee99caaf651c4ff2f932c9fc7b565ea5a8e8b6', DEFAULT, 1000000000000739, 1),
	(1000000000003314, 1000000000000042, '2d77326d-72df-4ef5-9145-98334da45aac.zones', 'PTR', 0, 'graphql.v1-0.example.', '\x076772617068716c0476312d30076578616d706c6500', '\x5eacf2a6a4fa4f612b5391739a8ed9a210a7d97004c2e9e567b6231d27fb96f7', DEFAULT, 1000000000000755, 1),
	(1000000000003346, 1000000000000609, '@', 'NS', 3600, 'ns.example.net.', '\x026e73076578616d706c65036e657400', '\xf1d073afaa431a6d4a7d876fc6914ba8a641a9650112852c55714017bd62b933', DEFAULT, 1000000000000771, 2),
	(1000000000003378, 1000000000000609, 'host1', 'A', 60, '203.0.113.1', '\xcb007101', '\xabe4c802067ff6e428984f75ef64789683866ab62d75c759f70649bc2c593842', DEFAULT, 1000000000000771, 4),
	(1000000000004178, 1000000000000042, '4d399f1a-9eb8-4340-82d1-0797e979e5f5.zones', 'PTR', 0, 'imported.v1-0.example.', '\x08696d706f727465640476312d30076578616d706c6500', '\x35f48a3d726b03b8c5ddba5268084ece06e7a281f5b757179124041adb99b0cd', DEFAULT, 1000000000000803, 1),
	(1000000000003330, 1000000000000609, '@', 'SOA', 3600, 'ns.example.net. host.example.net. 0 1 2 3 4', '\x026e73076578616d706c65036e65740004686f7374076578616d706c65036e6574000000000000000001000000020000000300000004', '\xf0bf51d84ef3063aee6196f52b12f05b2b63f225f14fee94f8a156cba9aae767', DEFAULT, 1000000000000819, 2),
	(1000000000004258, 1000000000000641, '@', 'SOA', 3600, 'ns1.example.net. hostmaster.example.net. 0 10800 3600 1209600 3600', '\x036e7331076578616d706c65036e6574000a686f73746d6173746572076578616d706c65036e6574000000000000002a3000000e100012750000000e10', '\xfff39962c45da981b72740a1751456081a60338090de3ed5a28f35f604425232', DEFAULT, 1000000000000867, 1),
	(1000000000004274, 1000000000000641, '@', 'NS', 3600, 'ns1.example.net.', '\x036e7331076578616d706c65036e657400', '\x9238fa5718ed14398864548849e72c5913cca0c6962d8cf30cbdc6e362eb8426', DEFAULT, 1000000000000867, 2),
	(1000000000004290, 1000000000000641, '@', 'NS', 3600, 'ns2.example.net.', '\x036e7332076578616d706c65036e657400', '\xee1387796f743b820a000a773e2f591489fd3466b967b14e62838a785256cf6e', DEFAULT, 1000000000000867, 3),
	(1000000000004306, 1000000000000641, 'www', 'CNAME', 3600, 'again.v1-0.example.', '\x05616761696e0476312d30076578616d706c6500', '\xf5aa92d72142eefb59b86af5857a866689a8d882c644d831e552453a561ecd01', DEFAULT, 1000000000000867, 4),
	(1000000000004338, 1000000000000577, 'new', 'AAAA', 60, '2001:db8::7', '\x20010db8000000000000000000000007', '\x8cf350ed1ca7c52e1f26c663cb48ffd40d306567c352a600bc8a3a41e16831c8', DEFAULT, 1000000000000899, 2),
	(1000000000004354, 1000000000000022, 'written', 'TXT', 300, '"later"', '\x056c61746572', '\xd82db9970a871db3a8f59027efa9ff574d3a1553de2340773e3a385377037582', DEFAULT, 1000000000000915, 1),
	(1000000000004370, 1000000000000042, '3a84b6be-5886-480d-aab0-ab6748e4872f.zones', 'PTR', 0, 'again.v1-0.example.', '\x05616761696e0476312d30076578616d706c6500', '\xf5aa92d72142eefb59b86af5857a866689a8d882c644d831e552453a561ecd01', DEFAULT, 1000000000000931, 2),
	(1000000000004386, 1000000000000577, 'set', 'A', 3600, '192.0.2.4', '\xc0000204', '\x99c052a820d9cfed1fd4e59b90988befee7d2487d0fedb22cfe9c7a68eb9e12e', DEFAULT, 1000000000000947, 1);
INSERT INTO public.zone_template VALUES
	(1000000000000570, 1000000000000560, 'v1-0.example', '', 1, '[]', '[{"ttl": null, "type": "A", "owner": "www", "rdata": "192.0.2.1"}]');
SELECT pg_catalog.setval('public.api_key_id_seq', 1000000000000564, true);
SELECT pg_catalog.setval('public.audit_entry_id_seq', 1000000000001119, true);
SELECT pg_catalog.setval('public.change_id_seq', 1000000000000947, true);
SELECT pg_catalog.setval('public.change_set_id_seq', 1000000000000585, true);
SELECT pg_catalog.setval('public.domain_id_seq', 1000000000000641, true);
SELECT pg_catalog.setval('public.mikro_orm_migrations_id_seq', 50, true);
SELECT pg_catalog.setval('public.outbox_event_id_seq', 1000000000000004, true);
SELECT pg_catalog.setval('public.secondary_id_seq', 1000000000000566, false);
SELECT pg_catalog.setval('public.tsig_key_id_seq', 1000000000000565, true);
SELECT pg_catalog.setval('public.update_refusal_id_seq', 1000000000000567, false);
SELECT pg_catalog.setval('public.user_id_seq', 1000000000000560, true);
SELECT pg_catalog.setval('public.webhook_delivery_id_seq', 1000000000000574, false);
SELECT pg_catalog.setval('public.webhook_id_seq', 1000000000000573, true);
SELECT pg_catalog.setval('public.zone_record_id_seq', 1000000000004386, true);
SELECT pg_catalog.setval('public.zone_template_id_seq', 1000000000000570, true);
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_entry
    ADD CONSTRAINT audit_entry_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.awaited_publication
    ADD CONSTRAINT awaited_publication_pkey PRIMARY KEY (change_id);
ALTER TABLE ONLY public.catalog_guard
    ADD CONSTRAINT catalog_guard_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.change
    ADD CONSTRAINT change_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.change_record
    ADD CONSTRAINT change_record_pkey PRIMARY KEY (change_id, ordinal);
ALTER TABLE ONLY public.change_set_edit
    ADD CONSTRAINT change_set_edit_pkey PRIMARY KEY (change_set_id, zone, ordinal);
ALTER TABLE ONLY public.change_set_event
    ADD CONSTRAINT change_set_event_pkey PRIMARY KEY (change_set_id, ordinal);
ALTER TABLE ONLY public.change_set
    ADD CONSTRAINT change_set_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.change_set_zone
    ADD CONSTRAINT change_set_zone_pkey PRIMARY KEY (change_set_id, zone);
ALTER TABLE ONLY public.compatible_migration
    ADD CONSTRAINT compatible_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.deleted_domain
    ADD CONSTRAINT deleted_domain_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.domain
    ADD CONSTRAINT domain_member_id_key UNIQUE (member_id);
ALTER TABLE ONLY public.domain
    ADD CONSTRAINT domain_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.domain
    ADD CONSTRAINT domain_zone_key UNIQUE (zone);
ALTER TABLE ONLY public.id_origin
    ADD CONSTRAINT id_origin_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.instance
    ADD CONSTRAINT instance_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mikro_orm_migrations
    ADD CONSTRAINT mikro_orm_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.outbox_event
    ADD CONSTRAINT outbox_event_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.publisher_term
    ADD CONSTRAINT publisher_term_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.request_count
    ADD CONSTRAINT request_count_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.rrset_note
    ADD CONSTRAINT rrset_note_pkey PRIMARY KEY (domain_id, owner, type);
ALTER TABLE ONLY public.secondary
    ADD CONSTRAINT secondary_address_port_key UNIQUE (address, port);
ALTER TABLE ONLY public.secondary
    ADD CONSTRAINT secondary_name_key UNIQUE (name);
ALTER TABLE ONLY public.secondary
    ADD CONSTRAINT secondary_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.sighting
    ADD CONSTRAINT sighting_pkey PRIMARY KEY (secondary_id, domain_id);
ALTER TABLE ONLY public.sign_in
    ADD CONSTRAINT sign_in_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.signed_update
    ADD CONSTRAINT signed_update_pkey PRIMARY KEY (mark);
ALTER TABLE ONLY public.transferred_zone
    ADD CONSTRAINT transferred_zone_pkey PRIMARY KEY (domain_id, secondary_id);
ALTER TABLE ONLY public.tsig_key
    ADD CONSTRAINT tsig_key_name_key UNIQUE (name);
ALTER TABLE ONLY public.tsig_key
    ADD CONSTRAINT tsig_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.update_refusal
    ADD CONSTRAINT update_refusal_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public."user"
    ADD CONSTRAINT user_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.user_reviewer
    ADD CONSTRAINT user_reviewer_pkey PRIMARY KEY (user_id, reviewer_id);
ALTER TABLE ONLY public.user_usage
    ADD CONSTRAINT user_usage_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_position
    ADD CONSTRAINT webhook_position_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhook_queue
    ADD CONSTRAINT webhook_queue_pkey PRIMARY KEY (webhook_id, zone);
ALTER TABLE ONLY public.zone_record
    ADD CONSTRAINT zone_record_identity_key UNIQUE (domain_id, owner, type, digest) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.zone_record
    ADD CONSTRAINT zone_record_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.zone_template
    ADD CONSTRAINT zone_template_pkey PRIMARY KEY (id);
CREATE INDEX api_key_fingerprint_index ON public.api_key USING btree (fingerprint);
CREATE INDEX api_key_user_id_index ON public.api_key USING btree (user_id);
CREATE INDEX audit_entry_actor_user_id_index ON public.audit_entry USING btree (actor_user_id, id) WHERE (actor_user_id IS DISTINCT FROM user_id);
CREATE INDEX audit_entry_besides_index ON public.audit_entry USING btree (id) WHERE (change_id IS NULL);
CREATE INDEX audit_entry_besides_time_index ON public.audit_entry USING btree (created_at) WHERE (change_id IS NULL);
CREATE INDEX audit_entry_code_index ON public.audit_entry USING btree (code, id) WHERE (code IS NOT NULL);
CREATE INDEX audit_entry_created_at_index ON public.audit_entry USING brin (created_at);
CREATE INDEX audit_entry_key_id_index ON public.audit_entry USING btree (key_id, id);
CREATE INDEX audit_entry_operation_index ON public.audit_entry USING btree (operation, id);
CREATE INDEX audit_entry_refused_index ON public.audit_entry USING btree (id) WHERE (code IS NOT NULL);
CREATE INDEX audit_entry_user_id_index ON public.audit_entry USING btree (user_id, id);
CREATE INDEX audit_entry_zone_index ON public.audit_entry USING btree (zone, id);
CREATE INDEX awaited_publication_next_at_index ON public.awaited_publication USING btree (next_at);
CREATE INDEX change_actor_index ON public.change USING btree (actor, id);
CREATE INDEX change_change_set_id_index ON public.change USING btree (change_set_id, id) WHERE (change_set_id IS NOT NULL);
CREATE INDEX change_created_at_index ON public.change USING btree (created_at);
CREATE INDEX change_domain_id_id_index ON public.change USING btree (domain_id, id);
CREATE INDEX change_door_index ON public.change USING btree (door, id);
CREATE INDEX change_note_index ON public.change USING gin (lower(note) public.gin_trgm_ops) WHERE (note IS NOT NULL);
CREATE INDEX change_record_begun_index ON public.change_record USING btree (domain_id, since, since_ordinal);
CREATE INDEX change_record_ended_index ON public.change_record USING btree (domain_id, change_id, since);
CREATE INDEX change_record_rrset_index ON public.change_record USING btree (domain_id, owner, type, change_id);
CREATE INDEX change_serial_index ON public.change USING btree (serial, id);
CREATE INDEX change_set_applying_index ON public.change_set USING btree (id) WHERE (state = 'APPLYING'::text);
CREATE INDEX change_set_due_index ON public.change_set USING btree (apply_at) WHERE (state = 'SCHEDULED'::text);
CREATE INDEX change_set_ended_index ON public.change_set USING btree (updated_at) WHERE (state = ANY (ARRAY['APPLIED'::text, 'PARTIAL'::text, 'CANCELLED'::text, 'EXPIRED'::text]));
CREATE INDEX change_set_untouched_index ON public.change_set USING btree (updated_at) WHERE (state = ANY (ARRAY['DRAFT'::text, 'IN_REVIEW'::text, 'APPROVED'::text]));
CREATE INDEX change_set_updated_at_index ON public.change_set USING btree (updated_at, id);
CREATE INDEX change_set_user_id_index ON public.change_set USING btree (user_id, id);
CREATE INDEX change_set_zone_domain_id_index ON public.change_set_zone USING btree (domain_id, change_set_id);
CREATE INDEX change_set_zone_zone_index ON public.change_set_zone USING btree (zone, change_set_id);
CREATE INDEX change_undoes_index ON public.change USING btree (undoes, id) WHERE (undoes IS NOT NULL);
CREATE INDEX deleted_domain_reverse_index ON public.deleted_domain USING btree (reverse(zone));
CREATE INDEX deleted_domain_zone_index ON public.deleted_domain USING btree (zone, deleted_at);
CREATE INDEX domain_labels_index ON public.domain USING gin (labels);
CREATE INDEX domain_reverse_index ON public.domain USING btree (reverse(zone));
CREATE INDEX domain_search_index ON public.domain USING gin (zone public.gin_trgm_ops);
CREATE INDEX domain_user_id_zone_index ON public.domain USING btree (user_id, zone);
CREATE INDEX secondary_tsig_key_id_index ON public.secondary USING btree (tsig_key_id);
CREATE INDEX sighting_domain_id_index ON public.sighting USING btree (domain_id);
CREATE INDEX sighting_held_index ON public.sighting USING btree (domain_id) WHERE (held_since IS NOT NULL);
CREATE INDEX sign_in_ends_at_index ON public.sign_in USING btree (ends_at);
CREATE INDEX sign_in_key_id_index ON public.sign_in USING btree (key_id);
CREATE INDEX transferred_zone_transaction_id_index ON public.transferred_zone USING btree (transaction_id);
CREATE INDEX tsig_key_user_id_index ON public.tsig_key USING btree (user_id);
CREATE INDEX update_refusal_created_at_index ON public.update_refusal USING btree (created_at);
CREATE INDEX update_refusal_domain_id_id_index ON public.update_refusal USING btree (domain_id, id);
CREATE UNIQUE INDEX user_email_key ON public."user" USING btree (lower(email));
CREATE INDEX user_reviewer_reviewer_id_index ON public.user_reviewer USING btree (reviewer_id);
CREATE INDEX webhook_delivery_dead_index ON public.webhook_delivery USING btree (webhook_id, id) WHERE (dead_at IS NOT NULL);
CREATE INDEX webhook_delivery_ended_index ON public.webhook_delivery USING btree (COALESCE(delivered_at, dead_at)) WHERE ((delivered_at IS NOT NULL) OR (dead_at IS NOT NULL));
CREATE INDEX webhook_delivery_waiting_index ON public.webhook_delivery USING btree (webhook_id, zone, id) WHERE ((delivered_at IS NULL) AND (dead_at IS NULL));
CREATE INDEX webhook_delivery_webhook_id_index ON public.webhook_delivery USING btree (webhook_id, id);
CREATE INDEX webhook_queue_next_at_index ON public.webhook_queue USING btree (webhook_id, next_at);
CREATE INDEX webhook_user_id_index ON public.webhook USING btree (user_id);
CREATE INDEX zone_record_address_index ON public.zone_record USING btree (type, wire) WHERE (type = ANY (ARRAY['A'::text, 'AAAA'::text]));
CREATE INDEX zone_record_begun_index ON public.zone_record USING btree (domain_id, change_id, change_ordinal);
CREATE INDEX zone_record_below_index ON public.zone_record USING btree (domain_id, reverse(owner));
CREATE INDEX zone_record_created_index ON public.zone_record USING btree (domain_id, id);
CREATE INDEX zone_record_member_index ON public.zone_record USING btree (rdata) WHERE ((type = 'PTR'::text) AND (ttl = 0));
CREATE INDEX zone_record_position_index ON public.zone_record USING btree (domain_id, "position", id);
CREATE INDEX zone_record_search_index ON public.zone_record USING gin (owner public.gin_trgm_ops, lower(rdata) public.gin_trgm_ops);
CREATE UNIQUE INDEX zone_template_name_index ON public.zone_template USING btree (COALESCE(user_id, (0)::bigint), name);
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_user_id_foreign FOREIGN KEY (user_id) REFERENCES public."user"(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.change_set
    ADD CONSTRAINT change_set_user_id_foreign FOREIGN KEY (user_id) REFERENCES public."user"(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.domain
    ADD CONSTRAINT domain_user_id_foreign FOREIGN KEY (user_id) REFERENCES public."user"(id);
ALTER TABLE ONLY public.secondary
    ADD CONSTRAINT secondary_tsig_key_id_foreign FOREIGN KEY (tsig_key_id) REFERENCES public.tsig_key(id);
ALTER TABLE ONLY public.sighting
    ADD CONSTRAINT sighting_secondary_id_foreign FOREIGN KEY (secondary_id) REFERENCES public.secondary(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sign_in
    ADD CONSTRAINT sign_in_key_id_foreign FOREIGN KEY (key_id) REFERENCES public.api_key(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.transferred_zone
    ADD CONSTRAINT transferred_zone_secondary_id_foreign FOREIGN KEY (secondary_id) REFERENCES public.secondary(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tsig_key
    ADD CONSTRAINT tsig_key_user_id_foreign FOREIGN KEY (user_id) REFERENCES public."user"(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.user_reviewer
    ADD CONSTRAINT user_reviewer_reviewer_id_foreign FOREIGN KEY (reviewer_id) REFERENCES public."user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.user_reviewer
    ADD CONSTRAINT user_reviewer_user_id_foreign FOREIGN KEY (user_id) REFERENCES public."user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.user_usage
    ADD CONSTRAINT user_usage_user_id_foreign FOREIGN KEY (user_id) REFERENCES public."user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_webhook_id_foreign FOREIGN KEY (webhook_id) REFERENCES public.webhook(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook_queue
    ADD CONSTRAINT webhook_queue_webhook_id_foreign FOREIGN KEY (webhook_id) REFERENCES public.webhook(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook_user_id_foreign FOREIGN KEY (user_id) REFERENCES public."user"(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.zone_record
    ADD CONSTRAINT zone_record_domain_id_foreign FOREIGN KEY (domain_id) REFERENCES public.domain(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.zone_template
    ADD CONSTRAINT zone_template_user_id_foreign FOREIGN KEY (user_id) REFERENCES public."user"(id) ON DELETE CASCADE;
