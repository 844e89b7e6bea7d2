package io.github.zklock.zookeeper.internal.session;

/** The failure of a request whose engine was replaced before the answer. The request may have been executed. (L26) */
public final class LostRequestException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public LostRequestException(String reason) {
        super(reason);
    }
}
