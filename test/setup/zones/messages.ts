/** The sentences of what has notices. */
export const messagesOf = ({ notices }: { readonly notices: readonly { readonly message: string }[] }) =>
  notices.map(({ message }) => message);
