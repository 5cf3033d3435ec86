/** A burgee: the pennant of a sailing club. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 48" role="img" aria-label="Burgee">
<rect x="4" y="2" width="4" height="44" rx="2" fill="#64748b"/>
<path d="M8 5 60 13 46 20 60 27 8 35Z" fill="#0f766e"/>
<path d="M8 15 52.5 16.75 46 20 52.5 23.25 8 25Z" fill="#fbbf24"/>
<circle cx="20" cy="20" r="3.5" fill="#0f766e"/>
</svg>
`;
