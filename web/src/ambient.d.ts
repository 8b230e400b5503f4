declare module "virtual:words/*" {
  const sentences: Record<string, string>;
  export default sentences;
}
declare module "*.svg?no-inline" {
  const address: string;
  export default address;
}
