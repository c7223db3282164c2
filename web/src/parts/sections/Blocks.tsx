import { isAttached, pictureIn, readText, textIn, type Block } from "./content";
import { Generic } from "./Generic";
import { useT } from "./messages";

/** Block after block, as the server wrote them. What lies in files is below, with the attachments. */
export function Blocks({ blocks, label }: { blocks: Block[]; label: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {blocks.map((block, index) => !isAttached(block) && <BlockView key={index} block={block} label={label} />)}
    </div>
  );
}

function BlockView({ block, label }: { block: Block; label: string }) {
  const t = useT();
  const picture = pictureIn(block);
  if (picture !== undefined) return <img src={picture} alt={t("image")} className="max-h-96 max-w-full self-start rounded-md border border-border" />;
  const text = textIn(block);
  return <Generic value={text === undefined ? block : readText(text)} label={label} />;
}
