import {start} from './shot.mjs';
const {browser,page,context,origin}=await start();
const cdp=await context.newCDPSession(page); await cdp.send('Performance.enable');
const heap=async()=>{await cdp.send('HeapProfiler.collectGarbage');const {metrics}=await cdp.send('Performance.getMetrics');const g=n=>metrics.find(m=>m.name===n).value;return `${(g('JSHeapUsedSize')/1e6).toFixed(1)} MB, ${g('Nodes')} nodes`};
let reqs=[]; page.on('request',r=>{if(r.url().includes('search/features'))reqs.push(new URL(r.url()).searchParams.get('offset'))});
await page.goto(origin+'/search'); await page.locator('tbody tr a').first().waitFor(); await page.waitForTimeout(1500);
await page.evaluate(()=>{window.long=[];new PerformanceObserver(l=>{for(const e of l.getEntries())window.long.push(Math.round(e.duration))}).observe({type:'longtask'})});
const report=async n=>{console.log(n,'long:',await page.evaluate(()=>window.long.splice(0)),'requests',reqs.splice(0).join(' ').slice(0,200),await heap())};
await report('idle');
// wheel scrolling, 6 seconds
await page.mouse.move(700,500);
for(let i=0;i<120;i++){await page.mouse.wheel(0,300);await page.waitForTimeout(30)}
await page.waitForTimeout(500); await report('wheel');
// jumps by the scrollbar
for(const part of [0.9,0.2,0.55,0.99,0]){const t=Date.now();await page.evaluate(p=>{const f=document.querySelector('section[aria-label=Features]');f.scrollTop=(f.scrollHeight-f.clientHeight)*p},part);await page.waitForFunction(()=>{const a=[...document.querySelectorAll('tbody tr')];return a.length>5&&a.every(r=>r.querySelector('a'))});console.log('jump',part,Date.now()-t,'ms');}
await page.waitForTimeout(300); await report('jumps');
// through the whole list
for(let i=0;i<=100;i++){await page.evaluate(i=>{const f=document.querySelector('section[aria-label=Features]');f.scrollTop=i*5200},i);await page.waitForTimeout(60)}
await page.waitForTimeout(500); await report('whole');
await page.keyboard.press('j'); for(let i=0;i<30;i++)await page.keyboard.press('Shift+J'); await page.waitForTimeout(300); await report('keys');
const t=Date.now(); await page.getByLabel(/^Select all/).click(); await page.getByText(/selected/).first().waitFor(); await page.getByText(/10,0\d\d selected|10,000 selected/).first().waitFor().catch(()=>{}); console.log('all',Date.now()-t); await page.waitForTimeout(300); await report('all');
await browser.close();
