package io.github.zklock;

/** What the close of a registry does with the locks that are still held when its time to drain is over. */
public enum OnClose {
    /**
     * Each lock stays with its holder until the holder releases it. The registry keeps its session for that long, and
     * ends it afterwards. If the process ends first, ZooKeeper releases the lock when the session expires.
     */
    KEEP_HELD,
    /**
     * The registry takes each lock from its holder, reports the loss, and then deletes its seat. The next waiter may
     * acquire the lock while the former holder still works.
     */
    RELEASE_HELD
}
