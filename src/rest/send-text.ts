/** Sends text in pieces, each when the client has read those before it, so that memory holds one piece. */
import type { Response } from "express";
import { giveUpTurn } from "../turns/queues.ts";

/** Throws an error before the first piece; a later one ends the connection, so that no response looks complete. */
export async function sendText(response: Response, pieces: AsyncIterable<string>): Promise<void> {
  giveUpTurn();
  try {
    for await (const piece of pieces) {
      if (response.destroyed) return;
      if (!response.write(piece)) await drained(response);
    }
    response.end();
  } catch (error) {
    if (!response.headersSent) throw error;
    response.destroy();
  }
}

function drained(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      response.off("drain", settle).off("close", settle);
      resolve();
    };
    response.on("drain", settle).on("close", settle);
  });
}
