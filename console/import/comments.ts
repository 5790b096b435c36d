/**
 * The comments of a master file, which a zone does not keep. Those on lines of their own directly before an RRset can become its note,
 * as an export writes notes.
 */
import type { RrsetNote } from "../api/rrset-note.ts";
import { readLine } from "../parts/text/master-line.ts";
import { plainOwner } from "../parts/text/names.ts";

export interface PlacedComment {
  readonly line: number;
  readonly text: string;
}

export interface Comments {
  /** For each RRset of the file, in its order, by its name: the comment before it; an empty text without one. */
  readonly rrsets: ReadonlyMap<string, RrsetNote>;
  /** The comments that are not directly before an RRset, with the numbers of their lines, from 1. */
  readonly others: readonly PlacedComment[];
  readonly hasSoa: boolean;
}

export interface NoteChange extends RrsetNote {
  readonly former: string;
}

const nameOf = ({ owner, type }: Pick<RrsetNote, "owner" | "type">) => `${owner} ${type}`;

/** The owner, as written, and the type of the record that begins in a line; undefined when one of them is missing. */
function rrsetOf(text: string): readonly [owner: string, type: string] | undefined {
  const [owner, ...rest] = text.split(/\s+/);
  const type = rest.find((word) => !/^(\d\w*|IN|CLASS1)$/i.test(word));
  if (!owner || owner.startsWith("$") || !type || !/^[A-Za-z][A-Za-z0-9-]*$/.test(type)) return undefined;
  return [owner, type.toUpperCase()];
}

/** Makes a name absolute by the last `$ORIGIN`; an empty origin is the zone. */
const absolute = (name: string, origin: string) =>
  name === "@" || origin === "" || name.endsWith(".") ? (name === "@" ? origin : name) : `${name}.${origin}`;

export function readComments(text: string, zone: string): Comments {
  const rrsets = new Map<string, RrsetNote>();
  const others: PlacedComment[] = [];
  const drop = (comments: readonly PlacedComment[]) => others.push(...comments.filter((each) => each.text !== ""));
  let [origin, hasSoa] = ["", false];
  let block: PlacedComment[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const { text: kept, comment } = readLine(line);
    const placed = comment === undefined ? [] : [{ line: at + 1, text: comment.replace(/^ /, "").trimEnd() }];
    if (kept.trim() === "" && comment !== undefined) {
      block.push(...placed);
      continue;
    }
    const [, next] = /^\$ORIGIN\s+(\S+)/i.exec(kept) ?? [];
    if (next) origin = absolute(next, origin);
    hasSoa ||= /\sSOA\s/i.test(kept);
    const [name, type] = rrsetOf(kept) ?? [];
    const rrset = name && type ? { owner: plainOwner(absolute(name, origin), zone), type } : undefined;
    const isFirst = rrset !== undefined && !rrsets.has(nameOf(rrset));
    const words = block.map((each) => each.text).join("\n");
    if (isFirst) rrsets.set(nameOf(rrset), { ...rrset, text: words.trim() });
    else drop(block);
    drop(placed);
    block = [];
  }
  drop(block);
  return { rrsets, others, hasSoa };
}

/** The notes that would change; `removes` says whether a note without a comment in the file is removed. */
export function noteChanges({ rrsets }: Comments, present: readonly RrsetNote[], removes: boolean): NoteChange[] {
  const former = new Map(present.map((note) => [nameOf(note), note.text]));
  return [...rrsets.values()].flatMap((note) => {
    const was = former.get(nameOf(note)) ?? "";
    // An export leaves out blanks at the end of a line.
    return note.text === was.replace(/[ \t]+$/gm, "") || (note.text === "" && !removes)
      ? []
      : [{ ...note, former: was }];
  });
}
