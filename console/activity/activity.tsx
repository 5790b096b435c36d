/**
 * What happened: changes, reviews, what was refused, and who came in; each as a list of its own.
 */
import { getRouteApi } from "@tanstack/react-router";
import { AccessList } from "../audit/audit.tsx";
import { ChangeSets } from "../changesets/change-sets.tsx";
import { AllChanges } from "../history/all-changes.tsx";
import { Chips, Page } from "../parts/page/page.tsx";
import { Refusals } from "../refusals/refusals.tsx";

const route = getRouteApi("/shell/activity");

const kinds = [
  { value: "changes", label: "Changes", list: AllChanges },
  { value: "reviews", label: "Reviews", list: ChangeSets },
  { value: "refused", label: "Refused", list: Refusals },
  { value: "access", label: "Access", list: AccessList },
] as const;

export function Activity() {
  const { kind = "changes", zone } = route.useSearch();
  const navigate = route.useNavigate();
  const { list: List } = kinds.find(({ value }) => value === kind) ?? kinds[0];
  return (
    <Page title="Activity">
      <Chips
        label="What"
        value={kind}
        options={kinds}
        onChange={(chosen) => void navigate({ search: { kind: chosen, zone } })}
      />
      <List key={kind} />
    </Page>
  );
}
