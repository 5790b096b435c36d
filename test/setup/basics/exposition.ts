/** What a service shows to Prometheus, as tests read it. */

/** The samples of a text in Prometheus's format, by name and labels in the order of the text: `name{a="b"}`. */
export function samplesOf(text: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line): [string, number] => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

export async function scrape(url: string, key?: string): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(url, { headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return samplesOf(await response.text());
}
