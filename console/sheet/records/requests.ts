/** The requests of a sheet by GraphQL. */
import { graphql } from "../../api/generated/gql.ts";
import type { LastChangeFragment } from "../../api/generated/graphql.ts";
import { nextPage, readAll } from "../../api/pages.ts";
import { run } from "../../api/run.ts";
import { authorName, keyName } from "../../parts/text/author.ts";
import type { StoredRow } from "./row.ts";
import type { JournalChange, SheetService } from "./sheet-service.ts";

graphql(`
  fragment LastChange on Record {
    changedAt
    changedBy { id actor user { id email } }
  }
`);

const pageQuery = graphql(`
  query SheetPage($zone: String!, $first: Int!, $after: String, $isFirst: Boolean!, $withChanges: Boolean!) {
    domain(by: { zone: $zone }) {
      serial
      records(first: $first, after: $after) {
        totalCount @include(if: $isFirst)
        nodes { id owner type ttl rdata ...LastChange @include(if: $withChanges) }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

const ownerQuery = graphql(`
  query SheetOwner($zone: String!, $owner: String!, $after: String) {
    domain(by: { zone: $zone }) {
      records(owner: $owner, first: 1000, after: $after) {
        nodes { id owner type ttl rdata ...LastChange }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

const searchQuery = graphql(`
  query SheetSearch($zone: String!, $text: String, $types: [RecordType!]) {
    domain(by: { zone: $zone }) {
      records(contains: $text, types: $types, first: 1000) {
        nodes { id owner type ttl rdata }
        pageInfo { hasNextPage }
      }
    }
  }
`);

const changesQuery = graphql(`
  query SheetChanges($zone: String!) {
    domain(by: { zone: $zone }) {
      serial
      changes(first: 20) {
        nodes {
          id serial previousSerial createdAt actor
          user { id email }
          removed(first: 100) {
            nodes { owner type ttl rdata }
            pageInfo { hasNextPage }
          }
          added(first: 100) {
            nodes { owner type ttl rdata }
            pageInfo { hasNextPage }
          }
        }
      }
    }
  }
`);

const checkQuery = graphql(`
  query SheetCheck($zone: String!, $records: [RecordInput!]!) {
    checkRecords(zone: $zone, records: $records) {
      ok owner type ttl rdata
      refusals { code field part message }
      notices { message }
    }
  }
`);

const changeMutation = graphql(`
  mutation SheetChange($input: ChangeRecordsInput!) {
    changeRecords(input: $input) {
      change { id serial }
      serial
      removed { recordId owner type ttl rdata }
      added { recordId owner type ttl rdata }
      loss { ...ZoneLoss }
      notices { code field message }
    }
  }
`);

const revertMutation = graphql(`
  mutation SheetRevert($input: RevertChangeInput!) {
    revertChange(input: $input) { change { id serial } }
  }
`);

const fileMutation = graphql(`
  mutation SheetFile($zone: String!, $text: String!) {
    importZone(input: { zone: $zone, text: $text, mode: MERGE, dryRun: true, skipUnsupported: true }) {
      added { owner type ttl rdata }
      removed { owner type ttl rdata }
      addedCount
      notices { code message }
    }
  }
`);

/** The value; the service leaves it out only in a refusal, for which `run` has thrown. */
function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error("The answer is not complete.");
  return value;
}

/** A record as a row of the sheet. */
function rowOf({ changedAt, changedBy, ...row }: StoredRow & Partial<LastChangeFragment>): StoredRow {
  if (!changedAt || !changedBy) return row;
  const { id, actor, user } = changedBy;
  return { ...row, changed: { id, at: changedAt, by: user ? user.email.replace(/@.*$/, "") : keyName(actor) } };
}

export const sheetService: SheetService = {
  async page(zone, first, after, withChanges, signal) {
    const isFirst = after === undefined;
    const { domain } = await run(pageQuery, { zone, first, after: after ?? null, isFirst, withChanges }, signal);
    const { serial, records } = present(domain);
    const { nodes, totalCount, ...page } = present(records);
    return { serial, rows: nodes.map(rowOf), next: nextPage(page) ?? undefined, total: totalCount ?? undefined };
  },

  async ofOwner(zone, owner, signal) {
    const absolute = owner === "@" ? "@" : `${owner}.${zone}.`;
    const nodes = await readAll(async (after) => {
      const { domain } = await run(ownerQuery, { zone, owner: absolute, after }, signal);
      return present(domain?.records);
    });
    return nodes.map(rowOf);
  },

  async search(zone, text, type, signal) {
    const { domain } = await run(searchQuery, { zone, text: text || null, types: type === "" ? null : [type] }, signal);
    const { nodes, pageInfo } = present(domain?.records);
    return { rows: nodes, isCut: pageInfo.hasNextPage };
  },

  async newestChanges(zone, signal) {
    const { domain } = await run(changesQuery, { zone }, signal);
    const { serial, changes } = present(domain);
    const list = present(changes).nodes.map(
      ({ removed, added, previousSerial, actor, user, ...change }): JournalChange => {
        const isWhole = !removed?.pageInfo.hasNextPage && !added?.pageInfo.hasNextPage;
        const lists = { removed: removed?.nodes ?? [], added: added?.nodes ?? [] };
        return {
          ...change,
          ...lists,
          isWhole,
          author: authorName({ actor, user }),
          previousSerial: previousSerial ?? undefined,
        };
      },
    );
    return { serial, changes: list };
  },

  async check(zone, records, signal) {
    const { checkRecords } = await run(checkQuery, { zone, records: [...records] }, signal);
    return present(checkRecords).map(({ ok, owner, type, ttl, rdata, refusals, notices }) => {
      const canonical =
        ok && owner != null && type != null && ttl != null && rdata != null ? { owner, type, ttl, rdata } : undefined;
      return { canonical, refusals, notices };
    });
  },

  async change({ zone, expectedSerial, remove, update, add }, { dryRun, note, signal }) {
    const lists = { remove: [...remove], update: [...update], add: [...add] };
    const input = { zone, expectedSerial, dryRun, note: note || null, ...lists };
    const { changeRecords } = await run(changeMutation, { input }, signal);
    const { change, ...result } = present(changeRecords);
    return { ...result, change: change ?? undefined };
  },

  async revert(id, expectedSerial, note) {
    const { revertChange } = await run(revertMutation, { input: { changeId: id, expectedSerial, note: note || null } });
    return present(revertChange).change ?? undefined;
  },

  async readFile(zone, text) {
    const { importZone } = await run(fileMutation, { zone, text });
    return present(importZone);
  },
};
