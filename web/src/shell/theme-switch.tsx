import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { MenuButton } from '../ui/menu-button.tsx';

export const schemes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const;

export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = schemes.find(({ value }) => value === colorScheme)?.icon ?? IconSun;
  return (
    <MenuButton
      position="bottom-end"
      button={
        <ActionIcon variant="default" size="lg" aria-label="Theme">
          <Current size={18} aria-hidden />
        </ActionIcon>
      }
    >
      {schemes.map(({ value, label, icon: Icon }) => (
        <Menu.Item
          key={value}
          onClick={() => setColorScheme(value)}
          aria-current={value === colorScheme}
          leftSection={<Icon size={16} aria-hidden />}
          rightSection={value === colorScheme && <IconCheck size={14} aria-hidden />}
        >
          {label}
        </Menu.Item>
      ))}
    </MenuButton>
  );
}
