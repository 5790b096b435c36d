/** The list of zones of a service that has none: the three steps to a zone that is served. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type DragEvent, type FormEvent, type ReactNode, useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { readOptions } from "../api/queries.ts";
import { useViewer } from "../api/viewer.ts";
import { attentionOptions } from "../attention/attention.tsx";
import { handOver } from "../import/handed-over.ts";
import { Button, buttonClass, Icon } from "../parts/control/button.tsx";
import { TextInput } from "../parts/control/field.tsx";
import { lazily } from "../parts/control/lazily.tsx";
import look from "../parts/look.module.css";
import { useTitle } from "../parts/page/page.tsx";
import css from "./first-run.module.css";
import { zoneOfName } from "./import-several.tsx";

const NewZone = lazily(async () => (await import("./new-zone.tsx")).NewZone);

const keyCount = graphql(`query KeyCount { apiKeys(first: 1) { totalCount } }`);

export function FirstRun() {
  useTitle("Zones");
  const { isAdministrator } = useViewer();
  const { data: causes } = useQuery(attentionOptions);
  const hasServer = causes?.every(({ kind }) => kind !== "NO_SECONDARY") ?? false;
  const { data: keys } = useQuery(
    readOptions(["api-keys", "count"], keyCount, {}, ({ apiKeys }) => apiKeys?.totalCount),
  );
  // One is the viewer's own.
  const hasKey = (keys ?? 0) > 1;
  const [name, setName] = useState("");
  const [creating, setCreating] = useState<"empty" | "file">();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setCreating("empty");
  };
  const take = (file: File | null | undefined) => {
    if (!file) return;
    handOver(file);
    setName(zoneOfName(file.name));
    setCreating("file");
  };
  const close = () => {
    handOver(undefined);
    setCreating(undefined);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  };
  return (
    <main className={css.page}>
      <h1>Serve your first zone</h1>
      <p className={look.soft}>{isAdministrator ? "Three" : "Two"} steps; the first is enough to look around.</p>
      <ol className={`${look.list} ${css.steps}`}>
        <li>
          <div className={look.grow}>
            <h2>Create a zone</h2>
            <p className={look.soft}>By name, or from what you have.</p>
            <form className={`${look.line} ${css.form}`} onSubmit={submit}>
              <TextInput
                className={look.grow}
                aria-label="Name of the zone"
                placeholder="example.com"
                required
                value={name}
                onChange={setName}
              />
              <Button kind="primary" type="submit">
                Create zone
              </Button>
            </form>
            <label className={`${look.soft} ${css.drop}`} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
              Or drop a master file here, or choose one:{" "}
              <input type="file" onChange={({ currentTarget }) => take(currentTarget.files?.[0])} />
            </label>
          </div>
        </li>
        {isAdministrator && (
          <Step
            title="Add a name server"
            text="Knot, BIND, NSD or PowerDNS. You get its configuration to copy."
            done={hasServer && "Done: it gets every zone."}
          >
            <Link to="/servers" search={{ new: "server" }} className={buttonClass()}>
              Add server
            </Link>
          </Step>
        )}
        <Step
          title="Let somebody or something in"
          text="A key for a colleague, a pipeline or an ACME client."
          done={hasKey && "Done: there is a key besides yours."}
        >
          <Link to="/settings/keys" search={{ new: "key" }} className={buttonClass()}>
            New key
          </Link>
        </Step>
      </ol>
      <p className={look.soft}>
        Prefer a terminal? <code>zonesmith import example.com.zone</code>
      </p>
      {creating && <NewZone name={name} hasFile={creating === "file"} onClose={close} />}
    </main>
  );
}

interface StepProps {
  readonly title: string;
  readonly text: string;
  /** What is said in place of the text once it is done. */
  readonly done: string | false;
  /** What leads to it. */
  readonly children: ReactNode;
}

const Step = ({ title, text, done, children }: StepProps) => (
  <li>
    <div className={look.grow}>
      <h2>{title}</h2>
      <p className={look.soft}>{done || text}</p>
    </div>
    {done ? <Icon name="check" /> : children}
  </li>
);
