/** The function of punycode.js that names.ts uses; the package brings no types. */
declare module "punycode.js" {
  const punycode: { toUnicode(domain: string): string };
  export default punycode;
}
