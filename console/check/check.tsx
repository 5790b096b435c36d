/** What is wrong with zones as they are now, by zone. A check is switched off for a zone by one of its labels. */
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { FindingsQuery } from "../api/generated/graphql.ts";
import { cursorPage, nodesOf } from "../api/pages.ts";
import { listOptions, queries, readAgain } from "../api/queries.ts";
import { act, graphql } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { zoneOptions } from "../api/zone.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Chips, Empty, Page, Refusal } from "../parts/page/page.tsx";
import { Stream, tones } from "../parts/stream/stream.tsx";
import { unicodeText } from "../parts/text/names.ts";
import { Ago } from "../parts/text/time.tsx";
import { StateShape } from "../parts/zone/state.tsx";
import css from "./check.module.css";

const findingsQuery = graphql(`
  query Findings($filter: FindingFilter!, $after: String) {
    findings(filter: $filter, first: 50, after: $after) {
      nodes { code severity source zone owner type message at } endCursor
    }
  }
`);

type Finding = NonNullable<FindingsQuery["findings"]>["nodes"][number];

const words = { "": "All", ERROR: "Errors", WARNING: "Warnings", NOTE: "Notes" } as const;
const shapes = { ERROR: "REFUSED", WARNING: "LATE", NOTE: "REVIEW" } as const;
const route = getRouteApi("/shell/check");

export function Check() {
  const { severity, zone } = route.useSearch();
  const navigate = route.useNavigate();
  const filter = { zone, severities: severity && [severity] };
  const query = useInfiniteQuery(
    listOptions(["findings", filter], findingsQuery, { filter }, ({ findings }) => cursorPage(findings)),
  );
  const findings = nodesOf(query);
  return (
    <Page title="Check" beside={zone && <Link to="/check">All zones</Link>} isText>
      <Chips
        label="Severity"
        value={severity ?? ""}
        options={(["", "ERROR", "WARNING", "NOTE"] as const).map((value) => ({ value, label: words[value] }))}
        onChange={(chosen) => void navigate({ search: { zone, severity: chosen || undefined }, replace: true })}
      />
      <Stream
        query={query}
        what="findings"
        reading="Checking…"
        items={findings}
        titleOf={(finding) => unicodeText(finding.zone)}
        row={(finding) => <FindingRow key={findings.indexOf(finding)} {...finding} />}
        empty={<Empty title="Nothing is wrong with the zones that were checked." />}
      />
    </Page>
  );
}

function FindingRow({ code, severity, source, zone, owner, type, message, at }: Finding) {
  const { readOnly } = useViewer();
  const ignoring = useMutation({
    mutationFn: async () => {
      const { labels } = await queries.fetchQuery({ ...zoneOptions(zone), staleTime: 0 });
      await act("updateDomain", { by: { zone }, labels: [...(labels ?? []), { name: `ignore/${code}`, value: "" }] });
      announceResult(`${code} is ignored in ${unicodeText(zone)} now.`);
      readAgain("findings", "zones", "zone");
    },
  });
  return (
    <li className={css.finding}>
      <span className={`${look.nowrap} ${look.strong} ${tones[shapes[severity]] ?? look.soft}`}>
        <StateShape state={shapes[severity]} /> {severity.toLowerCase()}
      </span>
      <Link to="/zones/$zone" params={{ zone }} search={{ q: owner }} className={`${look.mono} ${look.target}`}>
        {unicodeText(owner)} {type}
      </Link>
      <div>
        <p>{message}</p>
        <p className={`${look.small} ${look.faint}`}>
          {code} · {source} {at && "· asked "}
          {at && <Ago time={at} />}
        </p>
        {ignoring.error && <Refusal error={ignoring.error} />}
      </div>
      {!readOnly && (
        <Button kind="quiet" busy={ignoring.isPending} onClick={() => ignoring.mutate()}>
          Ignore here
        </Button>
      )}
    </li>
  );
}
