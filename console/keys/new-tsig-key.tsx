/**
 * A new TSIG key, with the scope that the client needs which it is for. The secret is shown once.
 */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import type { CreateTsigKeyInput, TsigAlgorithm } from "../api/generated/graphql.ts";
import { run } from "../api/run.ts";
import { queries } from "../app/queries.ts";
import { useViewer } from "../app/viewer.ts";
import { Button } from "../parts/button.tsx";
import { Actions, Dialog } from "../parts/dialog.tsx";
import { Choice, Field, Fields } from "../parts/field.tsx";
import { reasonsByField } from "../parts/refusal.tsx";
import { namedUser } from "../zones/new-zone.tsx";
import { UserChoices } from "../zones/user-filter.tsx";
import { endOf, lifetimes, wordsOf } from "./lifetime.ts";
import { Secret } from "./secret.tsx";

const createKey = graphql(`
  mutation CreateTsigKey($input: CreateTsigKeyInput!) {
    createTsigKey(input: $input) {
      tsigKey {
        id
        name
        algorithm
      }
      secret
    }
  }
`);

/** What a key is for, and the scope that this needs. */
const purposes = [
  {
    value: "acme",
    label: "certificates: lego, certbot, cert-manager",
    owners: "_acme-challenge*",
    types: "TXT",
    transfer: false,
  },
  {
    value: "updates",
    label: "updates: nsupdate, external-dns, Terraform, octoDNS, DNSControl",
    owners: "",
    types: "",
    transfer: true,
  },
  { value: "transfers", label: "transfers of a name server", owners: "", types: "", transfer: true },
] as const;

type Purpose = (typeof purposes)[number]["value"];

const algorithms: readonly (readonly [TsigAlgorithm, string])[] = [
  ["HMAC_SHA256", "hmac-sha256"],
  ["HMAC_SHA384", "hmac-sha384"],
  ["HMAC_SHA512", "hmac-sha512"],
];

export function NewTsigKey({ onClose }: { readonly onClose: () => void }) {
  const { isAdministrator, user } = useViewer();
  const [purpose, setPurpose] = useState<Purpose>("acme");
  const [form, setForm] = useState({
    name: "",
    email: "",
    zones: "",
    owners: "_acme-challenge*",
    types: "TXT",
    transfer: false,
    days: "",
  });
  const [algorithm, setAlgorithm] = useState<TsigAlgorithm>("HMAC_SHA256");
  const list = useId();
  const set = (changed: Partial<typeof form>) => setForm((before) => ({ ...before, ...changed }));
  const choosePurpose = (value: Purpose) => {
    const { owners, types, transfer } = purposes.find((each) => each.value === value) ?? purposes[0];
    setPurpose(value);
    set({ owners, types, transfer });
  };
  const create = useMutation({
    gcTime: 0,
    mutationFn: async () => {
      const userId = user?.id ?? (form.email.trim() === "" ? undefined : await namedUser(form.email.trim()));
      const [zones, owners, types] = [form.zones, form.owners, form.types].map(wordsOf) as [
        string[],
        string[],
        string[],
      ];
      const input: CreateTsigKeyInput = {
        name: form.name.trim(),
        algorithm,
        transfer: form.transfer,
        ...(userId && { userId }),
        ...(zones.length > 0 && { zones }),
        ...(owners.length > 0 && { owners }),
        ...(types.length > 0 && { types }),
        ...(form.days && { expiresAt: endOf(form.days) }),
      };
      return (await run(createKey, { input })).createTsigKey;
    },
    onSuccess: () => void queries.invalidateQueries({ queryKey: ["tsig-keys"] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const created = create.data;
  if (created)
    return (
      <Secret title={`The key ${created.tsigKey.name}`} secret={created.secret} what="the secret" onClose={onClose}>
        The secret of {created.tsigKey.name}, {created.tsigKey.algorithm.toLowerCase().replaceAll("_", "-")}, is shown
        this once. Save it now; a name server's key is in its stanza too.
      </Secret>
    );
  const reasons = reasonsByField(create.error, ["name", "userId", "zones", "owners", "types", "expiresAt"]);
  const isForUpdates = purpose !== "transfers";
  return (
    <Dialog title="New TSIG key" onClose={onClose}>
      <form onSubmit={submit}>
        <Fields>
          <Field label="For">
            <select value={purpose} onChange={(event) => choosePurpose(event.target.value as Purpose)}>
              {purposes.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
          <Field
            label="Name"
            error={reasons.of("name")}
            hint="A domain name, such as lego.example.com; the client names the key so."
          >
            <input
              required
              autoComplete="off"
              spellCheck={false}
              value={form.name}
              onChange={(event) => set({ name: event.target.value })}
            />
          </Field>
          {isAdministrator && (
            <Field
              label="User"
              error={reasons.of("userId")}
              hint="The e-mail address of the user whose zones it may reach; may be empty."
            >
              <input
                type="email"
                list={list}
                autoComplete="off"
                value={form.email}
                onChange={(event) => set({ email: event.target.value })}
              />
            </Field>
          )}
          {isForUpdates && (
            <>
              <Field
                label="Zones"
                error={reasons.of("zones")}
                hint="That it may update, separated by blanks; * is any characters. Empty: all of its user's."
              >
                <input
                  autoComplete="off"
                  spellCheck={false}
                  value={form.zones}
                  onChange={(event) => set({ zones: event.target.value })}
                />
              </Field>
              <Field label="Owners" error={reasons.of("owners")} hint="Relative to the zone; empty for all.">
                <input
                  autoComplete="off"
                  spellCheck={false}
                  value={form.owners}
                  onChange={(event) => set({ owners: event.target.value })}
                />
              </Field>
              <Field label="Types" error={reasons.of("types")} hint="Such as TXT; empty for all.">
                <input
                  autoComplete="off"
                  spellCheck={false}
                  value={form.types}
                  onChange={(event) => set({ types: event.target.value })}
                />
              </Field>
              <Choice
                label="It may also transfer these zones"
                checked={form.transfer}
                onChange={(event) => set({ transfer: event.target.checked })}
              />
            </>
          )}
          <Field label="Algorithm">
            <select value={algorithm} onChange={(event) => setAlgorithm(event.target.value as TsigAlgorithm)}>
              {algorithms.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
          <Field label="Ends" error={reasons.of("expiresAt")}>
            <select value={form.days} onChange={(event) => set({ days: event.target.value })}>
              {lifetimes.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          </Field>
          {reasons.rest}
        </Fields>
        {isAdministrator && <UserChoices id={list} />}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={create.isPending}>
            Create
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
