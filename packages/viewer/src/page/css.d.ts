// Style sheets are imported for their effect alone; vite makes one file of them.
declare module "*.css";
