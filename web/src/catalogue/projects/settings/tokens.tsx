export const ProjectTokens = () => null;
