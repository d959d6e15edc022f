SELECT model FROM serving
