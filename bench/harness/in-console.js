/**
 * Runs in the page before the code of the console. `bench` measures when rows are shown, and for each key the time until its change is
 * painted. A frame counts as painted when a message that was sent in its last callback arrives.
 */
const bench = { marks: {}, keys: [] };

bench.frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** What the sheet says of the records that it does not show: nothing, once all of them are there. */
bench.countText = () =>
  [...document.querySelectorAll("#page p[role=status]")].find(({ textContent }) =>
    /^$|^Showing| records?$/.test(textContent),
  )?.textContent;

bench.watch = async () => {
  const { marks } = bench;
  while (marks.allRows === undefined) {
    await bench.frame();
    if (document.querySelectorAll("[role=grid] [role=row]").length > 5) marks.firstRows ??= performance.now();
    if (marks.firstRows !== undefined && bench.countText() === "") marks.allRows = performance.now();
  }
};

const stateOf = () =>
  `${bench.countText()} ${document.activeElement?.closest("[role=row]")?.getAttribute("aria-rowindex")}`;

addEventListener(
  "keydown",
  async ({ timeStamp }) => {
    const before = stateOf();
    do await bench.frame();
    while (stateOf() === before);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => bench.keys.push(performance.now() - timeStamp);
    port2.postMessage(undefined);
  },
  true,
);

/** Waits until the changes of `count` keys are painted. */
bench.painted = async (count) => {
  while (bench.keys.length < count) await bench.frame();
};

/** The times between frames while the grid is scrolled in steps, in pixels. */
bench.frames = async (count, step) => {
  const scroller = [...document.querySelectorAll("[role=grid], [role=grid] *")].find(
    ({ scrollHeight, clientHeight }) => clientHeight > 100 && scrollHeight > 4 * clientHeight,
  );
  const times = [];
  let last = await bench.frame();
  while (times.length < count) {
    scroller.scrollTop += step;
    const now = await bench.frame();
    times.push(now - last);
    last = now;
  }
  return times;
};

/** Reads the pages that the sheet reads, only by fetch and JSON.parse; returns the time this took, ms. */
bench.fetchAll = async (zone) => {
  const query = `query ($zone: String!, $first: Int!, $after: String) { domain(by: { zone: $zone }) { serial
    records(first: $first, after: $after) { nodes { id owner type ttl rdata } pageInfo { hasNextPage endCursor } } } }`;
  const headers = { "Content-Type": "application/json", "X-Zonesmith-Console": "1" };
  const begun = performance.now();
  for (let [first, after] = [200, null]; ; first = 1000) {
    const body = JSON.stringify({ query, variables: { zone, first, after } });
    const response = await fetch("/graphql", { method: "POST", headers, body });
    const { pageInfo } = (await response.json()).data.domain.records;
    if (!pageInfo.hasNextPage) return performance.now() - begun;
    after = pageInfo.endCursor;
  }
};

globalThis.bench = bench;
