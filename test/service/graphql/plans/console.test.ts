/** The queries of the console: what it asks at each click has a plan, and the answer of the resolvers, whoever asks. */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type DocumentNode, Kind, parse, print } from "graphql";
import { PlanScene, type SceneIds } from "../../../setup/zones/plan-scene.ts";

let scene: PlanScene;
beforeAll(async () => {
  scene = await PlanScene.open();
});
afterAll(() => scene?.close());

/** The queries of the console by name, each with the fragments that it uses. */
function consoleQueries(): Map<string, string> {
  const files = readdirSync("console", { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !file.startsWith("api/generated") && file !== "build.ts",
  );
  const texts = files.flatMap((file) =>
    [...readFileSync(`console/${file}`, "utf8").matchAll(/graphql\(`([^`]*)`\)/g)].map(([, text]) => text as string),
  );
  const definitions = texts.flatMap((text) => parse(text).definitions);
  const fragments = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
  );
  const withFragments = (text: string, used = new Set<string>()): DocumentNode["definitions"] => {
    const names = [...text.matchAll(/\.\.\.(\w+)/g)]
      .map(([, name]) => name as string)
      .filter((name) => !used.has(name));
    return [...new Set(names)].flatMap((name) => {
      const fragment = fragments.get(name);
      if (!fragment || used.has(name)) return [];
      used.add(name);
      return [fragment, ...withFragments(print(fragment), used)];
    });
  };
  return new Map(
    definitions.flatMap((each) =>
      each.kind === Kind.OPERATION_DEFINITION && each.operation === "query"
        ? [[each.name?.value ?? "", [each, ...withFragments(print(each))].map(print).join("\n")]]
        : [],
    ),
  );
}

const ofOwner = { first: 1000, isCounted: false, withChanges: true };

/** Variables with which each query is asked. */
const asked = ({ changes }: SceneIds): Record<string, Record<string, unknown>[]> => ({
  Change: changes.map((id) => ({ id })),
  Zone: [{ zone: "example.com" }, { zone: "EMPTY.example" }, { zone: "xn--bcher-kva.example" }],
  ZoneList: [
    { filter: {}, orderBy: "ZONE" },
    { filter: { zoneContains: "example" }, orderBy: "CREATED_DESC" },
  ],
  SheetRecords: [
    ...[true, false].map((isCounted) => ({ first: 200, isCounted, withChanges: isCounted })),
    ...["h2\\032", "@", "nothing", "*.xn--bcher-kva"].map((owner) => ({ ...ofOwner, owner })),
  ].map((variables) => ({ zone: "example.com", ...variables })),
  SheetChanges: [{ zone: "example.com" }, { zone: "a.example" }],
  History: [
    { filter: {} },
    { filter: { zone: "A.example" } },
    { filter: { zone: "gone.example" } },
    { filter: { zone: "nowhere.example" } },
    { filter: { zone: "example.com", source: "GRAPHQL", createdSince: "2026-11-21T11:20:00Z" } },
    { filter: { actor: "key of first@example.com" } },
  ],
  OpenChangeSets: [
    { zone: "example.com", states: ["DRAFT", "IN_REVIEW"] },
    { zone: "a.example", states: ["APPLIED"] },
  ],
  RRsetNotes: [{ zone: "example.com" }, { zone: "empty.example" }],
});

test("what the console asks at each click is planned, and answers as the resolvers do", async () => {
  const queries = consoleQueries();
  const planned = new Set<string>();
  for (const [name, variants] of Object.entries(asked(scene.ids)))
    for (const variables of variants)
      for (const actor of Object.values(scene.actors)) {
        const text = queries.get(name) as string;
        const [plan, graphql] = [
          await scene.byPlan(text, variables, actor),
          await scene.byGraphql(text, variables, actor),
        ];
        // Nobody sees the changes of the catalog.
        if (actor.role === "administrator" && name !== "Change") expect(graphql).toBeDefined();
        if (plan !== undefined) planned.add(`${name} ${actor.role}`);
        expect({ name, variables, actor: actor.name, plan }).toEqual({
          name,
          variables,
          actor: actor.name,
          plan: graphql,
        });
      }
  const roles = ["administrator", "user"];
  expect([...planned].sort()).toEqual(
    Object.keys(asked(scene.ids))
      .flatMap((name) => roles.map((role) => `${name} ${role}`))
      .sort(),
  );
  expect(scene.faults).toEqual([]);
});

test("an owner that its zone makes too long is refused, not answered", async () => {
  const text = consoleQueries().get("SheetRecords") as string;
  const owner = Array.from({ length: 4 }, () => "x".repeat(60)).join(".");
  const variables = { ...ofOwner, zone: "xn--bcher-kva.example", owner };
  const actor = scene.actors.administrator as PlanScene["actors"][string];
  expect(await scene.byPlan(text, variables, actor)).toBeUndefined();
  expect(await scene.byGraphql(text, variables, actor)).toBeUndefined();
});
