package io.github.zklock.docs.guide.shop;

// snippet:service
import io.github.zklock.annotation.DistributedLock;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class OrderService {
    // end:service

    private final JdbcClient jdbc;

    OrderService(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }
    // snippet:service

    @DistributedLock("/orders/#{#order.id}")
    @Transactional
    public void complete(Order order) {
        jdbc.sql("update orders set completed = true where id = ?")
                .param(order.id())
                .update();
    }
}
// end:service
