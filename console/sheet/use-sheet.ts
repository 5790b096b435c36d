/** The model of a zone's sheet for a component: read, followed, and shared with the other tabs. */
import { useEffect, useState, useSyncExternalStore } from "react";
import { wait, waitMs } from "../api/connection.ts";
import { Unreachable } from "../api/run.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { SheetModel } from "./model/sheet-model.ts";
import { sheetService } from "./records/sheet-service.ts";

/** Drafts are kept by key and zone; `serial` is that of the zone as the page around knows it. */
export function useSheet(zone: string, fingerprint: string, serial: number, defaultTtl: number): SheetModel {
  const make = () => new SheetModel(sheetService, { zone, fingerprint, storage: localStorage, defaultTtl });
  const [model, setModel] = useState(make);
  if (model.zone !== zone) setModel(make());
  model.defaultTtl = defaultTtl;
  useSyncExternalStore(model.subscribe, model.version);

  useEffect(() => {
    const ended = new AbortController();
    void keepLoading(model, ended.signal);
    const stored = () => model.drafts.readStorage();
    addEventListener("storage", stored);
    return () => {
      ended.abort();
      removeEventListener("storage", stored);
      model.stop();
    };
  }, [model]);

  const isLoaded = model.loading === "done";
  useEffect(() => {
    if (isLoaded) void model.follow(serial);
  }, [model, serial, isLoaded]);

  const { lost } = model;
  useEffect(() => {
    if (!lost) return;
    const ended = new AbortController();
    void keepFindingOut(model, ended.signal);
    return () => ended.abort();
  }, [model, lost]);

  return model;
}

async function keepLoading(model: SheetModel, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    await model.load();
    if (typeof model.loading === "string" || !(model.loading.error instanceof Unreachable)) return;
    await wait(waitMs(attempt), signal);
  }
}

/** Asks for the outcome of a change until there is an answer, and announces it when no review is open. */
async function keepFindingOut(model: SheetModel, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted && model.lost; attempt++) {
    await wait(waitMs(attempt), signal);
    const outcome = signal.aborted ? undefined : await model.findOut();
    if (outcome !== undefined) announceResult(outcome);
  }
}
