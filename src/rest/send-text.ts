/**
 * Sends text in pieces. The next piece is requested when the client has read the previous ones, so that memory holds
 * one piece.
 */
import type { Response } from "express";
import { giveUpTurn } from "../turns/queues.ts";

/**
 * Sends the pieces. An error before the first one is thrown; a later error ends the connection, so that no client takes
 * the response for complete.
 */
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
