/**
 * The address of the draft of a zone, which is below that of its sheet.
 */
import { useLocation } from "@tanstack/react-router";

export const useIsDraft = () => useLocation({ select: ({ pathname }) => /^\/zones\/[^/]+\/draft$/.test(pathname) });
