/** What the service finds of a text, as items of the palette. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { PaletteQuery } from "../api/generated/graphql.ts";
import { graphql, run } from "../api/run.ts";
import look from "../parts/look.module.css";
import { authorName } from "../parts/text/author.ts";
import { unicodeText } from "../parts/text/names.ts";
import { Ago } from "../parts/text/time.tsx";
import type { Group, Item } from "./item.ts";
import { isAddress, type Sought } from "./sought.ts";

const paletteQuery = graphql(`
  query Palette($text: String!, $first: Int!, $any: Boolean!) {
    search(text: $text, first: $first) {
      records @include(if: $any) { count nodes { id zone owner type rdata } }
      domains @include(if: $any) { count nodes { id zone zoneUnicode } }
      changes @include(if: $any) { count nodes { id zone createdAt actor user { id email } note summary } }
      users { count nodes { id email } }
      apiKeys { count nodes { id name fingerprint user { id email } revokedAt } }
      tsigKeys { count nodes { id name user { id email } revokedAt } }
      secondaries @include(if: $any) { count nodes { id name address } }
    }
  }
`);

export type Answer = NonNullable<PaletteQuery["search"]>;

export const answerOptions = ({ text, only }: Sought, first: number) =>
  queryOptions({
    queryKey: ["palette", text, only, first],
    enabled: text !== "" && only !== "do",
    queryFn: async ({ signal }) => (await run(paletteQuery, { text, first, any: only === undefined }, signal)).search,
    placeholderData: keepPreviousData,
  });

type Answered<Kind extends Exclude<keyof Answer, "__typename">> = NonNullable<Answer[Kind]>["nodes"][number];

/** A zone as far as an item says it. */
export type NamedZone = Answered<"domains">;

export const zoneItem = ({ zone, zoneUnicode }: NamedZone, text: string): Item => ({
  id: `zone ${zone}`,
  icon: "zone",
  label: <Marked text={zoneUnicode} part={text} />,
  to: { to: "/zones/$zone", params: { zone } },
});

/** What was found, by groups. */
export function foundOf(answer: Answer, text: string): readonly Group[] {
  const marked = (words: string) => <Marked text={words} part={text} />;
  const people = [
    of(answer.users, ({ id, email }) => ({
      id: `user ${id}`,
      icon: "person",
      label: marked(email),
      aside: "zones",
      to: { to: "/zones", search: { owner: email } },
    })),
    of(answer.apiKeys, (key) => keyItem(key, text, "/settings/keys")),
    of(answer.tsigKeys, (key) => keyItem(key, text, "/settings/tsig")),
  ];
  return [
    { name: "records", ...of(answer.records, (record) => recordItem(record, text)) },
    { name: "zones", ...of(answer.domains, (zone) => zoneItem(zone, text)) },
    { name: "changes", ...of(answer.changes, (change) => changeItem(change, text)) },
    {
      name: "people",
      items: people.flatMap(({ items }) => items),
      count: people.reduce((sum, { count }) => sum + count, 0),
    },
    {
      name: "servers",
      ...of(answer.secondaries, ({ id, name, address }) => ({
        id: `server ${id}`,
        icon: "server",
        label: marked(name),
        aside: marked(address),
        to: { to: "/servers/$server", params: { server: id } },
      })),
    },
  ];
}

/** What was found of one kind. */
const of = <Node,>(
  matches: { readonly nodes: readonly Node[]; readonly count: number } | null | undefined,
  item: (node: Node) => Item,
) => ({ items: (matches?.nodes ?? []).map(item), count: matches?.count ?? 0 });

function recordItem({ id, zone, owner, type, rdata }: Answered<"records">, text: string): Item {
  const ofName = unicodeText(owner);
  const ofZone = unicodeText(zone);
  const [name, ofType] = text.split(/\s+/) as [string, string | undefined];
  return {
    id: `record ${id}`,
    icon: "lines",
    label: (
      <code>
        {owner === "@" ? (
          <Marked text={ofZone} part={name} />
        ) : (
          <>
            <Marked text={ofName} part={name} />
            <span className={look.faint}>.{ofZone}</span>
          </>
        )}{" "}
        <Marked text={type} part={ofType ?? ""} /> <Marked text={unicodeText(rdata)} part={text} />
      </code>
    ),
    ...(type === "PTR" && isAddress(text) && { aside: "reverse" }),
    to: { to: "/zones/$zone", params: { zone }, search: { q: owner, type } },
  };
}

function changeItem(change: Answered<"changes">, text: string): Item {
  const { id, zone, createdAt, note, summary } = change;
  return {
    id: `change ${id}`,
    icon: "clock",
    label: (
      <>
        <Marked text={note ?? unicodeText(summary ?? "")} part={text} />{" "}
        <span className={look.faint}>{unicodeText(zone)}</span>
      </>
    ),
    aside: (
      <>
        <Ago time={createdAt} /> · {authorName(change)}
      </>
    ),
    to: { to: "/changes/$change", params: { change: id } },
  };
}

const keyItem = (
  { id, name, user, revokedAt }: Answered<"apiKeys" | "tsigKeys">,
  text: string,
  to: "/settings/keys" | "/settings/tsig",
): Item => ({
  id: `${to} ${id}`,
  icon: "key",
  label: (
    <>
      <Marked text={name} part={text} /> {user && <span className={look.faint}>{user.email}</span>}
    </>
  ),
  aside: revokedAt ? "revoked" : to === "/settings/tsig" ? "TSIG key" : "API key",
  to: { to },
});

/** A text with the first place in it that has a part. */
function Marked({ text, part }: { readonly text: string; readonly part: string }) {
  const at = part === "" ? -1 : text.toLowerCase().indexOf(part.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + part.length)}</mark>
      {text.slice(at + part.length)}
    </>
  );
}
