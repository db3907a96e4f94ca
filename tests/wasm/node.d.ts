// What the package uses of Node, so that its types can be checked without further packages.

declare const process: any;
declare module "node:*";
