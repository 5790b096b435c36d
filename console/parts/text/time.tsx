/** Times as they are shown: relative to now, drawn again every minute, or to the second. */
import { useSyncExternalStore } from "react";
import { storeOf } from "../../api/store.ts";

const minuteMs = 60_000;
const units = [
  ["year", 31_536_000, "y"],
  ["month", 2_592_000, "mo"],
  ["day", 86_400, "d"],
  ["hour", 3600, "h"],
  ["minute", 60, "min"],
] as const;

const relative = new Intl.RelativeTimeFormat(undefined, { style: "short" });
/** Has words for the days beside today. */
const days = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });
/** With the name of the local time zone. */
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });

/** The local time zone, as people name it. */
export const zoneName = Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ");

/** How long ago a time is, or how far ahead; in short, where the column says that it is past, its age alone. */
function agoText(time: Date, now: Date, isShort: boolean): string {
  const seconds = (time.getTime() - now.getTime()) / 1000;
  for (const [unit, length, sign] of units) {
    if (Math.abs(seconds) < length) continue;
    const count = Math.trunc(seconds / length);
    if (isShort && !(unit === "day" && count === -1)) return `${-count} ${sign}`;
    return (unit === "day" ? days : relative).format(count, unit);
  }
  if (isShort) return "now";
  return seconds > 0 ? "in a moment" : "just now";
}

/** The present minute while it is shown: another every minute, and when the page is shown again. */
const minute = storeOf(Date.now(), (set) => {
  const tick = () => document.visibilityState === "visible" && set(Date.now());
  tick();
  const timer = setInterval(tick, minuteMs);
  document.addEventListener("visibilitychange", tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", tick);
  };
});

export function Ago({ time, isShort = false }: { readonly time: string; readonly isShort?: boolean }) {
  const minuteStart = useSyncExternalStore(minute.subscribe, minute.get);
  const date = new Date(time);
  // A time after the start of the minute is not in the future.
  const now = new Date(Math.max(minuteStart, Math.min(date.getTime(), Date.now())));
  return <Stamp time={time}>{agoText(date, now, isShort)}</Stamp>;
}

/** Words for a time, with the exact time, local and UTC, on hover. */
const Stamp = ({ time, children }: { readonly time: string; readonly children: string }) => (
  <time dateTime={time} title={`${exactText(time)} · ${utcText(time)}`}>
    {children}
  </time>
);

export const utcText = (time: string) => `${time.replace("T", " ").replace(/\.\d+Z$/, "")} UTC`;

/** The local date and time, to the second, with its zone. */
export const exactText = (time: string) => exact.format(new Date(time));

const thisYear = new Date().getFullYear();

/** A text of a time; the year is said where it is another. */
const withYear = (parts: Intl.DateTimeFormatOptions) => {
  const short = new Intl.DateTimeFormat(undefined, parts);
  const long = new Intl.DateTimeFormat(undefined, { year: "numeric", ...parts });
  return (time: string) => {
    const date = new Date(time);
    return (date.getFullYear() === thisYear ? short : long).format(date);
  };
};

/** The local day, as `Nov 21`. */
export const dateText = withYear({ month: "short", day: "numeric" });

/** The local day and time, as `Nov 21, 09:14:20`. */
export const momentText = withYear({
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

/** A time to the second. */
export const Exact = ({ time }: { readonly time: string }) => <Stamp time={time}>{momentText(time)}</Stamp>;

/** The local day of a time: Today, Yesterday, or its date, with the year where it is another than now. */
export function dayText(time: string): string {
  const [date, now] = [new Date(time), new Date()];
  if (date.toDateString() === now.toDateString()) return "Today";
  now.setDate(now.getDate() - 1);
  if (date.toDateString() === now.toDateString()) return "Yesterday";
  return dateText(time);
}

const hourAndMinute = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** The local hour and minute of a time, as 05:25. */
export const minuteText = (time: string) => hourAndMinute.format(new Date(time));

/** The local hour and minute. */
export const Minute = ({ time }: { readonly time: string }) => <Stamp time={time}>{minuteText(time)}</Stamp>;

/** The local time of day, as a clock shows it, with its zone. */
export const clockText = (time: Date) =>
  time.toLocaleTimeString(undefined, { hourCycle: "h23", timeZoneName: "short" });
