/**
 * Ctrl+K: finds anything by a text, and does what has a name. What is loaded answers at once; what the service finds comes below it.
 */
import { type InfiniteData, useQuery } from "@tanstack/react-query";
import { type AnyRouter, useParams, useRouter } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useState } from "react";
import { queries } from "../api/queries.ts";
import { useViewer } from "../api/viewer.ts";
import { announceFailure } from "../parts/control/announce.tsx";
import { Icon } from "../parts/control/button.tsx";
import { Dialog } from "../parts/control/dialog.tsx";
import { useDebounced } from "../parts/control/hooks.ts";
import { hasControl } from "../parts/control/keyboard.ts";
import look from "../parts/look.module.css";
import { Refusal, sentenceOf } from "../parts/page/page.tsx";
import { unicodeText } from "../parts/text/names.ts";
import { actionsOf, addressActionsOf, type Opened } from "./actions.tsx";
import { answerOptions, foundOf, type NamedZone, zoneItem } from "./answer.tsx";
import { type Group, type GroupName, groupTitles, type Item, mergedGroups, mostShown } from "./item.ts";
import css from "./palette.module.css";
import { hasWords, isName, soughtOf } from "./sought.ts";
import { type Visited, visitedPages } from "./visited.ts";

export { ChangeAddress } from "./change-address.tsx";

interface PaletteProps {
  /** The pages that it leads to by their names. */
  readonly pages: readonly { readonly to: string; readonly label: string }[];
  /** Opens what is over the page in place of it. */
  readonly onOpen: (what: Opened) => void;
  readonly onClose: () => void;
}

/** The zones of the lists that were read, by a part of the name; those first that begin with it. */
function loadedZones(text: string): readonly NamedZone[] {
  const lists = queries.getQueriesData<InfiniteData<{ readonly nodes: readonly NamedZone[] }>>({ queryKey: ["zones"] });
  const zones = lists.flatMap(([, list]) => list?.pages.flatMap(({ nodes }) => nodes) ?? []);
  const placeOf = ({ zoneUnicode }: NamedZone) => zoneUnicode.indexOf(text.toLowerCase());
  return [...new Map(zones.map((zone) => [zone.zone, zone])).values()]
    .filter((zone) => placeOf(zone) >= 0)
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .slice(0, mostShown.first);
}

/** The zone at a path. */
const zoneOf = (path: string) => decodeURIComponent(/^\/zones\/([^/]+)/.exec(path)?.[1] ?? "") || undefined;

const visitedItem = ({ path, title }: Visited): Item => {
  const zone = zoneOf(path);
  return {
    id: `visited ${path}`,
    icon: zone ? "zone" : "clock",
    label: zone ? unicodeText(zone) : title,
    to: { to: path },
  };
};

const hints = [
  ["↑ ↓", "choose"],
  ["Enter", "open"],
  ["Ctrl Enter", "new tab"],
  [">", "only actions"],
] as const;

export function Palette({ pages, onOpen, onClose }: PaletteProps) {
  const router: AnyRouter = useRouter();
  const viewer = useViewer();
  const { zone: current } = useParams({ strict: false });
  const [written, setWritten] = useState("");
  const [selected, setSelected] = useState<string>();
  const [expanded, setExpanded] = useState<GroupName>();
  // Enter came before the answer, whose first item it opens.
  const [isWaiting, setWaiting] = useState(false);
  const settled = useDebounced(written);
  const { text, only } = soughtOf(written);
  const most = expanded ? mostShown.expanded : mostShown.first;
  const { data, error, isPlaceholderData, isPending } = useQuery(answerOptions(soughtOf(settled), most));
  const isAsked = text !== "" && only !== "do";
  const isAnswered = !isAsked || (settled === written && !isPlaceholderData && !isPending);
  const answer = isAsked ? data : undefined;

  const { pathname } = router.state.location;
  const visited = visitedPages(viewer.key?.fingerprint).filter(({ path }) => !`${pathname}/`.startsWith(`${path}/`));
  const isEmpty = text === "" && !only;
  const zones = isEmpty || only ? [] : loadedZones(text);
  const [lastZone] = visited.flatMap(({ path }) => zoneOf(path) ?? []);
  const actions = { text, viewer, onOpen };
  const named = only ? [] : pages.filter(({ label }) => hasWords(label, text));
  const loaded: readonly Group[] = [
    { name: "visited", items: isEmpty ? visited.map(visitedItem) : [] },
    { name: "zones", items: zones.map((each) => zoneItem(each, text)) },
    { name: "goTo", items: named.map(({ to, label }) => ({ id: `page ${to}`, icon: "right", label, to: { to } })) },
    { name: "do", items: isEmpty || only === "people" ? [] : actionsOf({ ...actions, zone: current ?? lastZone }) },
  ];
  const { readOnly } = viewer;
  const meant = [...zones, ...(answer?.domains?.nodes ?? [])].find(({ zoneUnicode }) =>
    zoneUnicode.startsWith(text.toLowerCase()),
  );
  const late = [
    ...addressActionsOf({ address: text, records: answer?.records, readOnly, zone: current, onOpen }),
    ...(meant ? actionsOf({ ...actions, zone: meant.zone, isNamed: true }) : []),
  ];
  const answered = answer ? [...foundOf(answer, text), { name: "do" as const, items: late }] : [];
  const merged = mergedGroups(loaded, answered);
  const isNothing = isAnswered && text !== "" && !error && merged.length === 0;
  const groups = merged.map((group): Group => {
    if (group.name === expanded || only === "do" || group.count <= mostShown.first) return group;
    return { ...group, items: [...group.items.slice(0, mostShown.first), showAll(group, text, setExpanded)] };
  });
  if (isNothing && !only && !readOnly && isName(text)) {
    const to = { to: "/zones", search: { new: "zone", name: text } };
    groups.push({ name: "do", items: [{ id: "new-zone", icon: "plus", label: `New zone ${text}`, to }] });
  }
  const items = groups.flatMap((group) => group.items);
  const at = Math.max(
    items.findIndex(({ id }) => id === selected),
    0,
  );

  const open = async ({ to, act, staysOpen = false }: Item, inNewTab: boolean) => {
    setWaiting(false);
    if (!staysOpen) onClose();
    act?.();
    try {
      const target = typeof to === "function" ? await to() : to;
      if (target && inNewTab) window.open(router.buildLocation(target).publicHref);
      else if (target) await router.navigate({ search: {}, ...target });
    } catch (failure) {
      announceFailure(sentenceOf(failure));
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the answer is there
  useEffect(() => {
    if (isWaiting && isAnswered && items[0]) void open(items[0], false);
  }, [isWaiting, isAnswered]);
  useEffect(() => {
    document.getElementById(`palette-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [at]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const next = items[(at + step + items.length) % Math.max(items.length, 1)];
    const isEarly = !isAnswered && selected === undefined && loaded.every((group) => group.items.length === 0);
    if (step !== 0) setSelected(next?.id);
    else if (event.key !== "Enter") return;
    else if (isEarly) setWaiting(true);
    else if (next) void open(next, hasControl(event));
    event.preventDefault();
  };
  return (
    <Dialog title="Search or go to" onClose={onClose} width="palette">
      <div className={`${look.line} ${css.part} ${css.field}`}>
        <Icon name="search" />
        <input
          className={look.grow}
          aria-label="Search or go to"
          placeholder="Search or go to…"
          role="combobox"
          aria-expanded={items.length > 0}
          aria-controls={items.length > 0 ? "palette" : undefined}
          aria-activedescendant={items.length > 0 ? `palette-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
          value={written}
          onChange={(event) => {
            setWritten(event.target.value);
            setSelected(undefined);
            setExpanded(undefined);
            setWaiting(false);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      {isNothing && (
        <p role="status" className={css.part}>
          Nothing matches “{text}”
        </p>
      )}
      {error && isAsked && <Refusal error={error} />}
      {items.length > 0 && (
        <div id="palette" role="listbox" aria-label="Found" aria-busy={!isAnswered} className={css.list}>
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of a listbox is no fieldset
            <div key={group.name} role="group" aria-label={groupTitles[group.name]}>
              <p aria-hidden="true" className={`${look.faint} ${look.small}`}>
                {groupTitles[group.name]}
              </p>
              {group.items.map((item) => (
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, as in every combobox
                // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field does the same
                <div
                  key={item.id}
                  id={`palette-${items.indexOf(item)}`}
                  role="option"
                  aria-selected={item === items[at]}
                  className={`${look.line} ${css.option}`}
                  onClick={(event) => open(item, hasControl(event))}
                >
                  <Icon name={item.icon} />
                  <span className={`${look.cut} ${look.grow}`}>{item.label}</span>
                  {item.aside && (
                    <span className={`${look.cut} ${look.faint} ${look.small} ${css.aside}`}>{item.aside}</span>
                  )}
                </div>
              ))}
            </div>
          ))}
        </div>
      )}
      <footer className={`${look.line} ${look.faint} ${look.small} ${look.unlessPhone} ${css.part} ${css.foot}`}>
        {hints.map(([key, words]) => (
          <span key={key}>
            <kbd>{key}</kbd> {words}
          </span>
        ))}
      </footer>
    </Dialog>
  );
}

/** What shows all of a group: the page that lists them, or the group itself. */
function showAll({ name, count = 0 }: Group, text: string, expand: (name: GroupName) => void): Item {
  // The page of records looks for a part of them.
  const page = name === "records" && /^[^\s/]+$/.test(text) ? "/search" : name === "zones" ? "/zones" : undefined;
  const shown = page ? count : Math.min(count, mostShown.expanded);
  const number = count === mostCounted ? "1,000 or more" : count.toLocaleString();
  return {
    id: `all ${name}`,
    icon: "down",
    label: shown === count ? `Show all ${number}` : `Show ${shown} of ${number}`,
    ...(page ? { to: { to: page, search: { q: text } } } : { act: () => expand(name), staysOpen: true }),
  };
}

/** The service counts no further. */
const mostCounted = 1000;
