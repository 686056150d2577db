"""Where events are kept: one file a kind of store, all behind `stores.base.Store`."""
