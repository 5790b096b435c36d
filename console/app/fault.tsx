/**
 * What is shown where a page cannot be: an address that leads nowhere, and a page that failed.
 */
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { Refused } from "../api/refused.ts";
import { buttonClass } from "../parts/button.tsx";
import { Empty, Page } from "../parts/page.tsx";
import { Refusal } from "../parts/refusal.tsx";

export function NoPage() {
  return (
    <Page title="No such page">
      <Empty
        title="There is nothing at this address"
        action={
          <Link to="/zones" className={buttonClass()}>
            To the zones
          </Link>
        }
      >
        It may have been typed wrong, or lead to something that was removed.
      </Empty>
    </Page>
  );
}

export function Failed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  // What is not there is not there the next time either.
  const isMissing = error instanceof Refused && error.code === "NOT_FOUND";
  return (
    <Page title="This page cannot be shown">
      <Refusal
        error={error}
        onRetry={
          isMissing
            ? undefined
            : () => {
                reset();
                void router.invalidate();
              }
        }
      />
      {isMissing && (
        <p>
          <Link to="/zones" className={buttonClass()}>
            To the zones
          </Link>
        </p>
      )}
    </Page>
  );
}
