export { register } from "sluice/next";
