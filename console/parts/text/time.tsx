/**
 * A time relative to now, with the exact time, local and UTC, on hover. It is drawn again every minute.
 */
import { useSyncExternalStore } from "react";

const minuteMs = 60_000;
const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

const relative = new Intl.RelativeTimeFormat(undefined, { style: "short" });
/** Has words for the days beside today. */
const days = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });
/** With the name of the local time zone. */
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });

/** The local time zone, as people name it. */
export const zoneName = Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ");

/** How long ago a time is, or how far ahead. */
function agoText(time: Date, now: Date): string {
  const seconds = (time.getTime() - now.getTime()) / 1000;
  for (const [unit, length] of units)
    if (Math.abs(seconds) >= length)
      return (unit === "day" ? days : relative).format(Math.trunc(seconds / length), unit);
  return seconds > 0 ? "in a moment" : "just now";
}

let minute = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  minute = Date.now();
  for (const listener of listeners) listener();
}

const onShown = () => document.visibilityState === "visible" && tick();

/** Notifies every minute while anything listens, and when the page is shown again. */
function everyMinute(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    // The minute is old: nothing listened since.
    minute = Date.now();
    timer = setInterval(tick, minuteMs);
    document.addEventListener("visibilitychange", onShown);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    document.removeEventListener("visibilitychange", onShown);
  };
}

export function Ago({ time }: { readonly time: string }) {
  const minuteStart = useSyncExternalStore(everyMinute, () => minute);
  const date = new Date(time);
  // A time after the start of the minute is not in the future.
  const now = new Date(Math.max(minuteStart, Math.min(date.getTime(), Date.now())));
  return (
    <time dateTime={time} title={`${exactText(time)} · ${utcText(time)}`}>
      {agoText(date, now)}
    </time>
  );
}

export const utcText = (time: string) => `${time.replace("T", " ").replace(/\.\d+Z$/, "")} UTC`;

/** The local date and time, to the second, with its zone. */
export const exactText = (time: string) => exact.format(new Date(time));

/** A time to the second, in UTC on hover. */
export function Exact({ time }: { readonly time: string }) {
  return (
    <time dateTime={time} title={utcText(time)}>
      {exactText(time)}
    </time>
  );
}

/** The local time of day, as a clock shows it, with its zone. */
export const clockText = (time: Date) =>
  time.toLocaleTimeString(undefined, { hourCycle: "h23", timeZoneName: "short" });
