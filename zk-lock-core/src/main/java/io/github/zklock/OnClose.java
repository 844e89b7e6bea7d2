package io.github.zklock;

/** What a registry does on close with the locks that are still held when the drain time is over. */
public enum OnClose {
    /**
     * Each lock stays with its holder until the holder releases it. The registry keeps its session until then, and ends
     * it afterwards. If the process ends first, ZooKeeper releases the lock when the session expires.
     */
    KEEP_HELD,
    /**
     * The registry takes each lock from its holder, reports the loss, and then deletes its seat. The next waiter may
     * acquire the lock while the former holder still works.
     */
    RELEASE_HELD
}
