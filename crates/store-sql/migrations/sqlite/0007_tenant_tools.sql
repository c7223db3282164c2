-- Drafts that were only tried, and tools that were deleted. Both stay, because receipts name them; both are blocked as well, so that
-- whoever does not know the stage does not call them.
ALTER TABLE tools_registry ADD COLUMN stage TEXT CHECK (stage IS NULL OR stage IN ('draft', 'archived') AND lifecycle = 'blocked');
