/** The form of successful bodies: bare, or in the envelope of RESTKnot's code (`REST_ENVELOPE`, docs/restknot.md). */
import { STATUS_CODES } from "node:http";

export interface BodyForm {
  one(status: number, data: unknown): unknown;
  /** The text before and after a streamed value; `count` is the number of rows, or 1 for an object. */
  readonly opening: string;
  closing(count: number): string;
  readonly refusesEmptyLists: boolean;
}

export const bareForm: BodyForm = {
  one: (_status, data) => data,
  opening: "",
  closing: () => "",
  refusesEmptyLists: false,
};

const messageOf = (status: number) => STATUS_CODES[status] ?? "";

export const envelopeForm: BodyForm = {
  one: (code, data) => ({
    code,
    count: Array.isArray(data) ? data.length : 1,
    data,
    status: "success",
    message: messageOf(code),
  }),
  opening: '{"code":200,"status":"success","message":"OK","data":',
  closing: (count) => `,"count":${count}}`,
  refusesEmptyLists: true,
};
