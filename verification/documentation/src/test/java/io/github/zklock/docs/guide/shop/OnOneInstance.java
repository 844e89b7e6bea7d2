package io.github.zklock.docs.guide.shop;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.core.annotation.AliasFor;

// snippet:annotation
@DistributedLock(waitTime = "0", onBusy = OnBusy.SKIP)
@Retention(RetentionPolicy.RUNTIME)
@interface OnOneInstance {

    @AliasFor(annotation = DistributedLock.class, attribute = "name")
    String value();
}
// end:annotation
