/** A `ref` of what says what became of an action: it is scrolled to where it is not in sight, as below the fold of a phone. */
export const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });
