/** Dialogs whose code is loaded when they are first opened, so that the page that opens them is there sooner. */
import { lazy, type ReactNode, Suspense } from "react";

/** A component that is loaded by `load` when it is first shown; until then nothing is shown. */
export function lazily<Props extends object>(load: () => Promise<(props: Props) => ReactNode>) {
  const Loaded = lazy(async () => {
    const Component = await load();
    return { default: ({ of }: { readonly of: Props }) => <Component {...of} /> };
  });
  return (props: Props) => (
    <Suspense>
      <Loaded of={props} />
    </Suspense>
  );
}
