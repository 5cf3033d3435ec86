export const ProjectAccess = () => null;
