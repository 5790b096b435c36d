/** The indexes of searches. Each start creates them, and no migration, since some databases cannot have their extension pg_trgm. */
import type { EntityManager } from "@mikro-orm/postgresql";

/** The operator class of trigrams; an entity declares the index of a search with it. */
const operatorClass = "gin_trgm_ops";

export const isSearchIndex = (statement: string) => statement.includes(operatorClass);

export async function createSearchIndexes(em: EntityManager): Promise<boolean> {
  const indexes = [...em.getMetadata().getAll().values()]
    .flatMap(({ tableName, indexes }) => indexes.map((index) => ({ ...index, tableName })))
    .map(({ name, expression, tableName }) => ({ name: String(name), statement: String(expression), tableName }))
    .filter(({ statement }) => isSearchIndex(statement));
  // Plans of searches are chosen by statistics, which an index of an expression has once its table is analyzed.
  const missing = indexes.map(({ name, statement, tableName }) => {
    const format = statement.replaceAll(operatorClass, "%1$s");
    return `if to_regclass('${name}') is null then execute format('${format}', trigrams); analyze "${tableName}"; end if;`;
  });
  await em.execute(`do $$
    declare trigrams text;
    begin
      begin
        create extension if not exists pg_trgm;
      exception when insufficient_privilege or feature_not_supported or undefined_file then null;
      end;
      select quote_ident(n.nspname) || '.${operatorClass}' into trigrams
      from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm';
      if trigrams is not null then ${missing.join(" ")} end if;
    end $$`);
  const [found] = await em.execute("select exists (select from pg_extension where extname = 'pg_trgm') as \"isThere\"");
  return (found as { isThere: boolean }).isThere;
}
