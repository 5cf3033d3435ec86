import { Button, Combobox, Group, Kbd, Pill, Text, TextInput, useCombobox } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconCheck, IconFilter, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { numberText } from '../../ui/format.ts';
import { chosenIn, cleared, toggled } from './chosen-filters.ts';
import { type Facet, useFacets } from './facets.ts';
import classes from './feature-list.module.css';
import { isOn, isQuick, quickFilters, toggledQuickly } from './quick-filters.ts';
import type { FeatureSearch } from './search.ts';

interface Props {
  readonly search: FeatureSearch;
  readonly onChange: (search: FeatureSearch) => void;
  readonly project?: string | undefined;
  readonly children?: ReactNode;
}

/** Typing asks for each letter after this; the server answers in a few milliseconds. */
const pauseMs = 120;

function FeatureSearchField({ search, onChange }: Props) {
  const { query = '', ...rest } = search;
  const [text, setText] = useState(query);
  const [seen, setSeen] = useState(query);
  /** What this field has put into the address and not yet found there: an address arrives after a while. */
  const [sent, setSent] = useState<readonly string[]>([]);
  // After Back or a link, the URL decides what the field contains.
  if (query !== seen) {
    setSeen(query);
    if (sent.includes(query)) setSent(sent.slice(sent.indexOf(query) + 1));
    else {
      setSent([]);
      setText(query);
    }
  }
  const apply = (typed: string) => {
    setSent([...sent, typed]);
    onChange(typed === '' ? rest : { ...rest, query: typed });
  };
  const latest = useRef(apply);
  latest.current = apply;
  const isSent = text === (sent.at(-1) ?? query);
  useEffect(() => {
    if (isSent) return;
    const timer = setTimeout(() => latest.current(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, isSent]);
  return (
    <TextInput
      data-search
      type="search"
      aria-label="Search features"
      placeholder="Search by name, description, or tag"
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text === '' ? <Kbd size="xs">/</Kbd> : undefined}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') currentTarget.blur();
      }}
      className={classes.searchField}
    />
  );
}

/** A long facet shows its first values; typing finds the others. */
const shownAtFirst = 6;
const shownOfFound = 25;
const separator = '\n';

/** The options of a facet that the typed text means. */
const meantIn = ({ label: name, options }: Facet, text: string) =>
  options.filter(({ label }) => `${name} ${label}`.toLowerCase().includes(text.toLowerCase()));

function FacetOptions({
  facet,
  search,
  text,
}: {
  readonly facet: Facet;
  readonly search: FeatureSearch;
  readonly text: string;
}) {
  const chosen = chosenIn(search, facet.name);
  const found = meantIn(facet, text);
  if (found.length === 0) return null;
  const shown = found.slice(0, text === '' ? shownAtFirst : shownOfFound);
  return (
    <Combobox.Group label={facet.label}>
      {shown.map(({ value, label }) => (
        <Combobox.Option
          key={value}
          value={`${facet.name}${separator}${value}`}
          active={chosen.includes(value)}
        >
          <Group gap="xs" wrap="nowrap">
            <IconCheck
              size={14}
              aria-hidden
              className={classes.check}
              data-shown={chosen.includes(value) || undefined}
            />
            <Text size="sm" truncate>
              {label}
            </Text>
          </Group>
        </Combobox.Option>
      ))}
      {found.length > shown.length && (
        <Text size="xs" className="quiet" px="sm" py={4}>
          {numberText(found.length - shown.length)} more. Type to search
        </Text>
      )}
    </Combobox.Group>
  );
}

/** All facets in one list that is searched as one types, so that no value is further than a word away. */
function FacetMenu({ search, onChange, facets }: Props & { readonly facets: readonly Facet[] }) {
  const [text, setText] = useState('');
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      setText('');
      combobox.resetSelectedOption();
    },
  });
  useHotkeys([['shift+F', () => combobox.openDropdown()]]);
  return (
    <Combobox
      store={combobox}
      width={300}
      keepMounted={false}
      position="bottom-start"
      onOptionSubmit={(option) => {
        const [name, value = ''] = option.split(separator);
        const facet = facets.find((each) => each.name === name);
        if (facet) onChange(toggled(search, facet.name, value));
      }}
    >
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <Button
          variant="default"
          leftSection={<IconFilter size={16} aria-hidden />}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          onClick={() => combobox.toggleDropdown()}
        >
          Filter
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            combobox.selectFirstOption();
          }}
          placeholder="Filter by…"
          aria-label="Filter by"
        />
        <Combobox.Options mah={380} className={classes.scrolls}>
          {facets.map((facet) => (
            <FacetOptions key={facet.name} facet={facet} search={search} text={text} />
          ))}
          {facets.every((facet) => meantIn(facet, text).length === 0) && (
            <Combobox.Empty>
              <Text size="sm">No matching filters</Text>
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function Chips({ search, onChange, facets }: Props & { readonly facets: readonly Facet[] }) {
  const chips = facets.flatMap((facet) =>
    chosenIn(search, facet.name)
      .filter((value) => !isQuick(facet.name, value))
      .map((value) => {
        const option = facet.options.find((each) => each.value === value);
        const label = option?.label ?? value;
        const isClear = ['status', 'expired', 'favorite', 'archived'].includes(facet.name);
        return { facet, value, text: isClear ? label : `${facet.label}: ${label}` };
      }),
  );
  if (chips.length === 0 && !quickFilters.some((each) => isOn(search, each))) return null;
  return (
    <Group gap={6} role="group" aria-label="Active filters">
      {chips.map(({ facet, value, text }) => (
        <Pill
          key={`${facet.name} ${value}`}
          withRemoveButton
          onRemove={() => onChange(toggled(search, facet.name, value))}
          removeButtonProps={{
            'aria-label': `Remove filter ${text}`,
            'aria-hidden': false,
            tabIndex: 0,
          }}
          className={classes.chip}
        >
          {text}
        </Pill>
      ))}
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        onClick={() => onChange(cleared(search))}
      >
        Clear filters
      </Button>
    </Group>
  );
}

const QuickFilters = ({ search, onChange }: Props) => (
  <Group gap={6} role="group" aria-label="Quick filters">
    {quickFilters.map((each) => (
      <button
        key={each.label}
        type="button"
        aria-pressed={isOn(search, each)}
        className={classes.quickFilter}
        onClick={() => onChange(toggledQuickly(search, each))}
      >
        {each.label}
      </button>
    ))}
  </Group>
);

export function FeatureFilters(props: Props) {
  const facets = useFacets(props.project);
  return (
    <>
      <Group gap="sm" mb="sm" role="search" aria-label="Features" className={classes.toolbar ?? ''}>
        <FeatureSearchField {...props} />
        <FacetMenu {...props} facets={facets} />
        {props.children}
      </Group>
      <Group gap={6} mb="sm">
        <QuickFilters {...props} />
        <Chips {...props} facets={facets} />
      </Group>
    </>
  );
}
