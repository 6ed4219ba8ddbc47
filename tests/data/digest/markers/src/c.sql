-- TODO: an index on created
SELECT 1;
