/** The pages of errors: an address without a page, and a page that failed. */
import { type ErrorComponentProps, Link, useParams, useRouter } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { Refused } from "../api/run.ts";
import { buttonClass } from "../parts/control/button.tsx";
import { Empty, Loading, Page, Refusal } from "../parts/page/page.tsx";

const toZones = (
  <Link to="/zones" className={buttonClass()}>
    To the zones
  </Link>
);

export function NoPage() {
  return (
    <Page title="No such page">
      <Empty title="There is nothing at this address" action={toZones}>
        It may have been typed wrong, or lead to something that was removed.
      </Empty>
    </Page>
  );
}

/** Whether another attempt cannot help. */
const isMissing = (error: unknown) => error instanceof Refused && error.code === "NOT_FOUND";

const GoneZone = lazy(async () => ({ default: (await import("../history/deleted/deleted-zone.tsx")).GoneZone }));

/** The page of a zone that failed: the zone may be deleted by now. */
export function ZoneFailed(props: ErrorComponentProps) {
  const { zone } = useParams({ strict: false });
  if (!isMissing(props.error) || zone === undefined) return <Failed {...props} />;
  return (
    <Suspense fallback={<Loading />}>
      <GoneZone zone={zone}>
        <Failed {...props} />
      </GoneZone>
    </Suspense>
  );
}

export function Failed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const isNotThere = isMissing(error);
  return (
    <Page title="This page cannot be shown">
      <Refusal
        error={error}
        onRetry={
          isNotThere
            ? undefined
            : () => {
                reset();
                void router.invalidate();
              }
        }
      />
      {isNotThere && <p>{toZones}</p>}
    </Page>
  );
}
