package io.github.zklock.zookeeper.internal.session;

/** The failure of a request that was not sent, because the registry is closed or its engine failed. */
public final class RefusedRequestException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    public RefusedRequestException(Refusal refusal) {
        super(refusal.message(), refusal.cause());
        this.refusal = refusal;
    }

    public Refusal refusal() {
        return refusal;
    }
}
