package com.example.ordershop;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ordershop.stock.Product;
import com.example.ordershop.stock.ProductRepository;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@ShopTest
class SchemaInitializerTest {

    @Autowired
    SchemaInitializer schema;

    @Autowired
    ProductRepository products;

    @Test
    void secondInstanceDoesNotChangeTheTables() throws Exception {
        List<String> before = names();

        schema.afterPropertiesSet();

        assertThat(names()).isEqualTo(before).contains("tea");
    }

    private List<String> names() {
        return products.findAll().stream().map(Product::name).toList();
    }
}
