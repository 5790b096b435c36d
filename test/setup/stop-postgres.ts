/** After all tests: the embedded PostgreSQL goes, and its folder with it. */
export default async function stopPostgres(): Promise<void> {
  await globalThis.testPostgres?.stop();
}
