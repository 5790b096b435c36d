/**
 * The labels of a domain, each a link to all zones that have it.
 */
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import page from "../parts/page/page.module.css";
import { type Label, labelText } from "./label-text.ts";

export function LabelChips({ labels }: { readonly labels: readonly Label[] | null | undefined }) {
  return (labels ?? []).map((label) => {
    const text = labelText(label);
    return (
      <Fragment key={text}>
        <Link to="/zones" search={{ label: text }} className={page.label} title={`All zones with ${text}`}>
          {text}
        </Link>{" "}
      </Fragment>
    );
  });
}
