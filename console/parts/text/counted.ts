/** A number of things as text: "1 record", "1,204 records". */
export const counted = (count: number, what: string) => `${count.toLocaleString()} ${what}${count === 1 ? "" : "s"}`;
