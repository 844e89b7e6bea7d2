package io.github.zklock.docs.guide.shop;

// snippet:service
import io.github.zklock.annotation.DistributedLock;
import org.springframework.stereotype.Service;

@Service
public class OrderStatistics {

    @DistributedLock("/order-stats")
    public void recompute() {
        // in all instances together, one thread at a time runs this
    }
}
// end:service
