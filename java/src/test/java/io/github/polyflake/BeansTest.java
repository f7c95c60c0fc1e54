package io.github.polyflake;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.gson.Gson;
import com.google.gson.JsonParser;
import java.beans.BeanInfo;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What frameworks see of the values that people return from controllers. */
class BeansTest {
  private static final Parts PARTS = Layout.of("twitter").decode(1541815603606036480L);
  private static final Stats STATS = numbered();
  private static final String PARTS_JSON =
      "{'timeMs':1656432460105,'tick':367597485448,'sequence':0,'node':378,'fields':{'datacenter':11,'worker':26}}";
  private static final String STATS_JSON = "{'issued':1,'waits':2,'waitedMs':3.5,'sequenceExhaustions':4,"
      + "'clockStepsBack':5,'largestStepBackMs':6,'leadMs':7,'untilMs':8,'yearsLeft':9.5,'renewals':10,'storeFailures':11,'heldMs':12,"
      + "'held':13,'step':14,'fetches':15,'lastFetchMs':16,'jumps':17,'left':18,'namespaceUuid':'ab'}";

  private static final Uuid7Parts UUID7 = new Uuid7Parts(new long[] {1, 2, 3, 4, 5});
  private static final ObjectIdParts OBJECT_ID = new ObjectIdParts(new long[] {1000, 2, 3});
  private static final DateNumbers.Parts DATE = new DateNumbers.Parts(20230414, 7);
  private static final String UUID7_JSON = "{'timeMs':1,'tick':2,'sequence':3,'node':4,'tail':5}";
  private static final String DATE_JSON = "{'label':20230414,'count':7}";
  private static final String OBJECT_ID_JSON = "{'timeMs':1000,'process':2,'counter':3}";

  /** Statistics of which no two are equal: their numbers, and a half more if they are real ones. */
  private static Stats numbered() {
    try (Generator generator = Generator.builder().worker(1).clock(new ManualClock(1_800_000_000_000L)).build()) {
      Stats stats = generator.stats();
      int number = 0;
      for (Field field : Stats.class.getDeclaredFields()) {
        number++;
        field.setAccessible(true);
        if (field.getType() == String.class) {
          field.set(stats, "ab");
        } else if (field.getType() == double.class) {
          field.set(stats, number + 0.5);
        } else {
          field.set(stats, (long) number);
        }
      }
      return stats;
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertJson(String expected, String json) {
    assertEquals(JsonParser.parseString(expected.replace('\'', '"')), JsonParser.parseString(json));
  }

  private static Map<String, Object> properties(Object bean) throws Exception {
    BeanInfo info = Introspector.getBeanInfo(bean.getClass(), Object.class);
    Map<String, Object> values = new TreeMap<>();
    for (PropertyDescriptor property : info.getPropertyDescriptors()) {
      values.put(property.getName(), property.getReadMethod().invoke(bean));
    }
    return values;
  }

  @Test
  void a_plain_mapper_that_reads_getters_writes_all_of_them() throws Exception {
    ObjectMapper jackson = new ObjectMapper();
    assertJson(PARTS_JSON, jackson.writeValueAsString(PARTS));
    assertJson(STATS_JSON, jackson.writeValueAsString(STATS));
    assertJson(UUID7_JSON, jackson.writeValueAsString(UUID7));
    assertJson(OBJECT_ID_JSON, jackson.writeValueAsString(OBJECT_ID));
    assertJson(DATE_JSON, jackson.writeValueAsString(DATE));
    assertJson("{'name':'open','code':null}",
        jackson.writeValueAsString(new GeneratorState("open", "")));
  }

  @Test
  void a_plain_mapper_that_reads_fields_writes_the_same() {
    Gson gson = new Gson();
    assertJson(PARTS_JSON, gson.toJson(PARTS));
    assertJson(STATS_JSON, gson.toJson(STATS));
    assertJson(UUID7_JSON, gson.toJson(UUID7));
    assertJson(OBJECT_ID_JSON, gson.toJson(OBJECT_ID));
    assertJson(DATE_JSON, gson.toJson(DATE));
    assertJson("{'name':'open'}", gson.toJson(new GeneratorState("open", "")));
  }

  @Test
  void a_template_finds_the_accessors_as_properties() throws Exception {
    assertEquals(
        Map.of("timeMs", PARTS.timeMs(), "tick", PARTS.tick(), "sequence", PARTS.sequence(), "node", PARTS.node(),
            "fields", PARTS.fields()),
        properties(PARTS));
    Map<String, Object> stats = properties(STATS);
    assertEquals(19, stats.size());
    for (Map.Entry<String, Object> property : stats.entrySet()) {
      assertEquals(Stats.class.getMethod(property.getKey()).invoke(STATS), property.getValue());
    }
  }
}
