export const ImportExport = () => null;
