/** The two functions of tr46 that idna.ts uses; the package has no types. */
declare module "tr46" {
  interface ProcessingOptions {
    checkBidi?: boolean;
    checkHyphens?: boolean;
    checkJoiners?: boolean;
    transitionalProcessing?: boolean;
    useSTD3ASCIIRules?: boolean;
  }
  const tr46: {
    toASCII(domain: string, options?: ProcessingOptions & { verifyDNSLength?: boolean }): string | null;
    toUnicode(domain: string, options?: ProcessingOptions): { domain: string; error: boolean };
  };
  export default tr46;
}
