/**
 * Reads by plans are what graphql-js answers, byte for byte: documents generated from the schema, with a key of each kind, over data that
 * is awkward to write. A plan that has no answer agrees with everything, so those that ran are counted.
 *
 *     PLAN_DOCUMENTS=100000 PLAN_SEED=7 npm test -- test/service/graphql/plans/differential
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import {
  DocumentGenerator,
  type GeneratedDocument,
  smaller,
  textOf,
  valuesOf,
} from "../../../setup/zones/generated-documents.ts";
import { PlanScene } from "../../../setup/zones/plan-scene.ts";

const count = Number(process.env.PLAN_DOCUMENTS ?? 3000);
const seed = Number(process.env.PLAN_SEED ?? 3);

/** Fields and arguments of which some documents must have been answered by plans. */
const shapes = [
  /rdataContains/,
  /zoneContains/,
  /types/,
  /totalCount/,
  /\bnote\b/,
  /\b[A-Z][A-Za-z]+Data\b/,
  /\b(added|removed)\b/,
  /\bsecondaries\b/,
  /\blabels \{/,
  /\brequiredApprovals\b/,
  /\b(undoes|returnsTo)\b/,
  /\bsummary\b/,
  /\baddedCount\b/,
  /\bdefaultTtl\b/,
  /\brecordCounts\b/,
  /\bchanged(At|By)\b/,
  /\bchanges\b/,
  /\bactor: /,
  /\bowner: /,
];

let scene: PlanScene;
beforeAll(async () => {
  scene = await PlanScene.open();
});
afterAll(() => scene?.close());

/** How both ways answer: undefined where a way has no answer of full success. */
async function both(document: GeneratedDocument, actorName: string) {
  const [text, variables] = [textOf(document), valuesOf(document)];
  const actor = scene.actors[actorName] as PlanScene["actors"][string];
  return { plan: await scene.byPlan(text, variables, actor), graphql: await scene.byGraphql(text, variables, actor) };
}

/** The smallest document, by taking parts off, whose answers differ. */
async function shrunk(document: GeneratedDocument, actorName: string): Promise<GeneratedDocument> {
  for (const each of smaller(document)) {
    const { plan, graphql } = await both(each, actorName);
    if (plan !== undefined && plan !== graphql) return shrunk(each, actorName);
  }
  return document;
}

/** Cursors of every list, at some of its rows. */
async function cursors(): Promise<string[]> {
  const page = "edges { cursor }";
  const lists = [
    `a: domains(first: 3) { ${page} } b: domains(first: 2, orderBy: CREATED_DESC) { ${page} }`,
    `c: records(first: 30, orderBy: CREATED) { ${page} } d: users(first: 2) { ${page} } e: users(orderBy: EMAIL) { ${page} }`,
    `f: domain(by: { zone: "example.com" }) { a: records(first: 20) { ${page} } b: records(orderBy: CREATED_DESC) { ${page} } }`,
    `g: changes(first: 9) { ${page} } h: changes(filter: { zone: "a.example" }, orderBy: CREATED) { ${page} }`,
  ];
  const texts: string[] = [];
  for (const list of lists) {
    const text = await scene.byGraphql(`{ ${list} }`, {}, scene.actors.administrator as never);
    for (const [, cursor] of (text ?? "").matchAll(/"cursor":"([^"]+)"/g)) texts.push(cursor as string);
  }
  return texts;
}

test(`${count} generated documents have the same answer by both ways`, async () => {
  const generator = new DocumentGenerator(scene.schema, scene.ids, await cursors(), seed);
  const names = Object.keys(scene.actors);
  const counts = { succeeded: 0, planned: 0 };
  const plannedWith = new Set<RegExp>();
  for (let n = 0; n < count; n += 1) {
    const document = generator.next();
    const name = names[n % names.length] as string;
    const { plan, graphql } = await both(document, name);
    if (graphql !== undefined) counts.succeeded += 1;
    if (plan !== undefined) {
      counts.planned += 1;
      const sent = textOf(document) + JSON.stringify(valuesOf(document));
      for (const shape of shapes.filter((each) => each.test(sent))) plannedWith.add(shape);
    }
    if (plan === undefined || plan === graphql) continue;
    const least = await shrunk(document, name);
    const answers = await both(least, name);
    throw new Error(
      `${n}, ${name}: ${textOf(least)} ${JSON.stringify(valuesOf(least))}\n${answers.plan}\n${answers.graphql}`,
    );
  }
  expect(scene.faults).toEqual([]);
  expect(counts.planned / counts.succeeded).toBeGreaterThan(0.6);
  expect(shapes.filter((shape) => !plannedWith.has(shape))).toEqual([]);
}, 600_000);
