/** Acts once for all that begins it within a pause, ms. */
export function collected(pause: number, act: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    timer = undefined;
    act();
  };
  return {
    begin() {
      timer ??= setTimeout(end, pause);
    },
    stop: () => clearTimeout(timer),
  };
}
