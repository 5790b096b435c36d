/**
 * The address of the draft of a zone, which is below that of its sheet.
 */
import { useMatches } from "@tanstack/react-router";

export const useIsDraft = () =>
  useMatches({ select: (matches) => matches.some(({ routeId }) => routeId.endsWith("/draft")) });
